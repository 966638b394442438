// Exposure and white balance of the photos: a gain and a bias for each channel of each photo (math/photo_colour.h),
// trained beside the splats, so that these need not explain with colours that change with the side what the camera did.
//
// A twentieth of the run is trained without, but no longer than 100 iterations or two and a half rounds of the photos:
// splats learn to explain what differs, so that a long run would find less than a short one. Then photos are compared
// with their renders, as many as a fiftieth of the run pays for: how much brighter or darker each is than the model
// that all of them made, in stops. With kAuto the colours are trained from then on where photos differ by more than
// kDifferentStops from those taken beside them, and start at what was measured; else they cost nothing more. (What
// changes slowly around a scene or along a video is left to the splats.) The geometric mean of the gains is kept at 1,
// the mean of the biases at 0: the splats have the photos' mean exposure.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/model/dataset.h"
#include "splat/train/terms/photo_term.h"

namespace splat {

enum class ExposureMode : int32_t { kAuto = 0, kOn = 1, kOff = 2 };

const char* name_of(ExposureMode mode);

inline constexpr double kDifferentStops = 0.25;  // deviation from which kAuto trains colours; our own

struct MeasuredExposure {
  int view = 0;                         // index in the dataset
  std::array<double, 3> gain{1, 1, 1};  // photo over render, by channel
};

// Measures these views, drawn with `render`. Pixels count if the photo shows something, the splats cover them and the
// photo is not clipped. Cost: a view drawn and read back for each.
Result<std::vector<MeasuredExposure>> measure_exposures(Backend& backend, const Dataset& dataset, ImageSource& images,
                                                        std::span<const int> views, const RenderSettings& render);

// Deviation of the photos' stops from the mean of the two beside them, scaled such that independent stops give their
// own deviation: the two whose cameras are nearest, or the two next by name, whichever differ less. A video comes back
// to a place with another exposure, but has nearly the same from frame to frame. 0 with fewer than three.
double deviation_from_neighbours(const Dataset& dataset, std::span<const MeasuredExposure> measured);

// Brightness of a gain in stops of light, for photos encoded with a gamma of 2.2.
double stops_of(const std::array<double, 3>& gain);
double stops_of(const PhotoColour& colour);

class Exposures : public PhotoTerm {
 public:
  Exposures() = default;
  Exposures(ExposureMode mode, std::vector<int> training_views, size_t views);

  bool due(int iteration, int iterations) const override;  // nothing was measured yet, and it is time
  Status measure(const TermInputs& inputs) override;       // decides, and starts where colours are wanted
  std::vector<int> first_views(int iterations) const;      // whose measure decides, evenly spread
  // Returns whether the colours are wanted; then start() wants the measure of all training views.
  bool decide(const Dataset& dataset, std::span<const MeasuredExposure> measured);
  void start(std::span<const MeasuredExposure> measured);

  // From here on these are the colours, by view: nothing is measured and no step changes them. What was found for a
  // whole scene, for a run that trains a part of it.
  void hold(std::span<const PhotoColour> colours);

  bool decided() const { return decided_; }
  bool stepped() const { return active_ && !held_; }
  bool active() const { return active_; }
  double deviation_stops() const { return deviation_stops_; }  // of the photos, as decide() saw them; 0 before
  const PhotoColour& colour(int view) const { return photos_[size_t(view)].colour; }  // as drawn where not active
  std::vector<PhotoColour> colours() const;                                           // by view; empty where not active
  // One step of Adam for the photo of `iteration`; gradient: LossValue::v_colour.
  void step(int view, const PhotoColour& gradient, int iteration, int iterations);

  void weigh(const TermIteration& now, Backend& backend, LossSettings& loss, SurfaceSettings& surface) override;
  void step(const TermIteration& now, Backend& backend, const LossValue& loss) override;
  void save(Archive& archive) const override;
  Status load(const Archive& archive) override;  // of as many views; nothing where colours are held

 private:
  struct Photo {  // as it lies in checkpoints
    PhotoColour colour{};
    PhotoColour first{{{0, 0}, {0, 0}, {0, 0}}}, second{{{0, 0}, {0, 0}, {0, 0}}};  // moments
    int64_t steps = 0;
  };

  void centre();

  ExposureMode mode_ = ExposureMode::kOff;
  std::vector<int> training_;
  std::vector<Photo> photos_;  // by view
  bool decided_ = false, active_ = false, held_ = false;
  double deviation_stops_ = 0;
};

}  // namespace splat
