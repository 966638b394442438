// Photos to clean splats by, opened once: for a proposal, and for what PSNR the splats have on the held-out ones.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/jobs/memory_plan.h"
#include "app/jobs/session.h"
#include "app/settings/options.h"
#include "splat/clean/proposal.h"
#include "splat/core/parallel.h"
#include "splat/model/dataset.h"

namespace app {

struct CleaningOptions {
  std::filesystem::path data;
  splat::RenderSettings look;
  io::DatasetOptions dataset;  // resolution 0: kCleanSide
  DeviceOptions device;
};

inline constexpr int kCleanSide = 800;  // px of the longest side of a photo, where --resolution does not say

class CleaningPhotos {
 public:
  // The backend that works on them and outlives them. pixels: of the largest photo.
  using Lend = std::function<Outcome(uint64_t pixels, splat::Backend*& backend)>;
  static Outcome open(const CleaningOptions& options, const Lend& lend, std::unique_ptr<CleaningPhotos>& photos,
                      const PhotoWatch& watch = {});

  size_t views() const { return views_.size(); }  // that are looked at, evenly chosen
  size_t held_out() const { return held_out_.size(); }
  uint64_t most_pixels() const { return app::most_pixels(dataset_); }  // of a photo

  // An error where they show another scene.
  splat::Status check_show(const splat::Gaussians& model);

  struct Now {
    int round = 0;
    size_t view = 0, views = 0;          // of the round
    double share = 0, seconds_left = 0;  // of all rounds (splat/clean/proposal.h, splat/core/steady_rest.h)
  };
  // Called after each photo; false: stop, which is an error.
  using Progress = std::function<bool(const Now& now)>;
  splat::Result<splat::clean::Proposal> propose(const splat::Gaussians& model, splat::clean::Strength strength,
                                                const Progress& progress);
  splat::Result<double> psnr(const splat::Gaussians& model);  // dB; 0 where no photo is held out

  // The same of one model again and again: of the one uploaded last, without the rows that are not 0.
  void upload(const splat::Gaussians& model) { backend_->upload(model); }
  splat::Result<double> psnr_without(std::span<const uint8_t> rows);  // [N]

 private:
  splat::Result<double> psnr_as_drawn();

  explicit CleaningPhotos(const CleaningOptions& options) : look_(options.look), pool_(options.device.threads) {}

  splat::RenderSettings look_;
  splat::ThreadPool pool_;
  splat::Dataset dataset_;
  splat::Backend* backend_ = nullptr;
  std::unique_ptr<splat::ImageSource> photos_;
  std::vector<int> views_, held_out_;
};

}  // namespace app
