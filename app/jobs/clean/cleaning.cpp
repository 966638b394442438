#include "app/jobs/clean/cleaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "splat/core/steady_rest.h"
#include "splat/train/evaluate.h"
#include "splat/train/same_scene.h"

namespace app {

namespace clean = splat::clean;

namespace {

constexpr size_t kMostPhotos = 60;  // that are looked at, evenly chosen

}  // namespace

Outcome CleaningPhotos::open(const CleaningOptions& options, const Lend& lend, std::unique_ptr<CleaningPhotos>& photos,
                             const PhotoWatch& watch) {
  std::unique_ptr<CleaningPhotos> opened(new CleaningPhotos(options));
  io::DatasetOptions dataset = options.dataset;
  if (dataset.resolution == 0) dataset.resolution = kCleanSide;
  if (Outcome outcome = open_dataset(options.data, dataset, opened->dataset_); !outcome) return outcome;
  if (Outcome outcome = lend(opened->most_pixels(), opened->backend_); !outcome) return outcome;
  const PhotoOptions reading{0, options.device.threads, options.look.background};
  if (Outcome outcome = open_photos(opened->dataset_, reading, opened->photos_, watch); !outcome) return outcome;
  opened->views_ = clean::spread(opened->dataset_.training_views(), kMostPhotos);
  opened->held_out_ = opened->dataset_.held_out_views();
  if (opened->views_.empty()) return bad_input(fmt::format("'{}' has no photos to clean by", options.data.string()));
  photos = std::move(opened);
  return done();
}

splat::Status CleaningPhotos::check_show(const splat::Gaussians& model) {
  upload(model);
  return splat::check_same_scene(*backend_, {dataset_, *photos_, views_, look_}, "nothing was taken out");
}

splat::Result<clean::Proposal> CleaningPhotos::propose(const splat::Gaussians& model, clean::Strength strength,
                                                       const Progress& progress) {
  Now now;
  splat::SteadyRest rest;
  const auto start = std::chrono::steady_clock::now();
  const auto after_view = [&](size_t view, size_t views) {
    if (view == 1) ++now.round;
    now.view = view, now.views = views;
    const double within = double(view) / double(views);
    now.share = std::max(now.share, clean::share_of_rounds(now.round, within, strength));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    rest.update(seconds, seconds * (1 - now.share) / now.share);
    now.seconds_left = rest.rest();
    return progress(now);
  };
  const clean::CleanInputs inputs{*backend_, dataset_, *photos_, views_, look_, after_view};
  return clean::propose(inputs, model, strength);
}

splat::Result<double> CleaningPhotos::psnr(const splat::Gaussians& model) {
  upload(model);
  return psnr_as_drawn();
}

splat::Result<double> CleaningPhotos::psnr_without(std::span<const uint8_t> rows) {
  std::vector<uint8_t> looks(rows.size());
  for (size_t row = 0; row < rows.size(); ++row) looks[row] = rows[row] ? splat::math::kNotDrawn : 0;
  backend_->set_looks({looks, {}});
  auto found = psnr_as_drawn();
  backend_->set_looks({});
  return found;
}

splat::Result<double> CleaningPhotos::psnr_as_drawn() {
  SPLAT_ASSIGN_OR_RETURN(const auto found,
                         splat::evaluate(*backend_, {dataset_, *photos_, held_out_, look_, &pool_, {}}));
  return found.psnr;
}

}  // namespace app
