// Depth maps of the photos (TrainingImage::depth): a second thing that splats are compared with, which says what is
// near where photos are few or show nothing. Known up to a scale and a shift for each photo, fitted (depth_fit.h) to
// the dataset's points that its view sees, or, where those are too few, to what the splats show after a twentieth of
// the run. Whether maps hold depths or inverse depths is found out for all of them: what fits better. The loss is the
// mean difference in inverse depth; its weight falls exponentially over the run. Kerbl et al., "A Hierarchical 3D
// Gaussian Representation for Real-Time Rendering of Very Large Datasets", SIGGRAPH 2024, and INRIA's code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/backend/surface_settings.h"
#include "splat/model/dataset.h"
#include "splat/train/depth_fit.h"
#include "splat/train/terms/photo_term.h"

namespace splat {

class Depths : public PhotoTerm {
 public:
  Depths() = default;
  // For the dataset's training views. extent: of the scene, world units.
  Depths(const Dataset& dataset, const TrainConfig& config, double extent);

  bool any() const { return !photos_.empty(); }  // photos have maps
  // Before the first iteration. Cost: every photo with a map is read once.
  Status fit_to_points(const Dataset& dataset, ImageSource& images);
  bool due(int iteration, int iterations) const override;  // some photos had too few points, and it is time
  // Drawn with `render`. Cost: a view drawn and read back for each of those.
  Status fit_to_splats(Backend& backend, const Dataset& dataset, ImageSource& images, const RenderSettings& render);

  // The prior of a training view; no values if it has no map, or none that was fitted.
  DepthPrior prior(int view, const TrainingImage& photo) const;

  bool is_depth() const { return is_depth_; }  // of the maps; else inverse depths
  size_t maps() const { return photos_.size(); }
  size_t fitted() const;
  double median_error() const;        // of the fits, relative
  double scale_deviation() const;     // of the fitted scales about their median, relative
  std::vector<int> left_out() const;  // views whose fit failed
  std::vector<std::string> sentences(const Dataset& dataset) const;  // for the log

  Status begin(const TermInputs& inputs) override;
  Status measure(const TermInputs& inputs) override;
  bool needs_photo(int view) const override;
  void weigh(const TermIteration& now, Backend& backend, LossSettings& loss, SurfaceSettings& surface) override;
  void save(Archive& archive) const override;
  Status load(const Archive& archive) override;

 private:
  enum class State : int32_t { kWaits = 0, kFitted = 1, kFailed = 2 };
  struct Photo {  // as it lies in checkpoints
    double scale = 0, shift = 0, error = 0;
    State state = State::kWaits;
    int32_t view = 0;
  };
  struct Samples {
    size_t photo;
    std::vector<DepthSample> samples;
  };
  void fit(const std::vector<Samples>& all);
  const Photo* photo_of(int view) const;

  void report(const Dataset& dataset) const;

  std::vector<Photo> photos_;  // with a map, by view
  float first_weight_ = 0, last_weight_ = 0, extent_ = 0;
  bool is_depth_ = false, known_ = false;  // what maps hold
};

}  // namespace splat
