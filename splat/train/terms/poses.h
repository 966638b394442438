// Poses of the photos trained on, refined beside the splats: a reconstruction from photos places cameras to about a
// pixel, a phone's tracking or a careless calibration worse, and splats then blur what no two photos agree on.
//
// From a fifth of the run on to four fifths of it each step on a photo also moves its camera (pose_fit.h). After every
// epoch what all cameras have in common (a motion and a scale of the world, which no photo can see) is taken out again,
// so that held-out cameras, which stay as given, still fit the scene.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "splat/model/dataset.h"
#include "splat/train/pose_fit.h"
#include "splat/train/terms/photo_term.h"

namespace splat {

enum class PoseMode : int32_t { kAuto = 0, kOn = 1, kOff = 2 };

const char* name_of(PoseMode mode);

inline constexpr int kDecidingSteps = 20;  // of align_pose(), for each photo that decides

class Poses : public PhotoTerm {
 public:
  Poses() = default;
  Poses(PoseMode mode, const Dataset& dataset);

  bool due(int iteration, int iterations) const override;  // nothing was decided yet, and it is time
  Status measure(const TermInputs& inputs) override;
  std::vector<int> first_views(int iterations) const;  // whose fits decide, evenly spread
  // px: by which those photos moved when they were fitted alone. Returns whether poses are refined from now on.
  bool decide(std::vector<double> px);

  bool decided() const { return decided_; }
  bool active() const { return active_; }
  double median_px() const { return median_px_; }   // as decide() saw it; 0 before
  bool moves(int iteration, int iterations) const;  // this iteration steps a pose
  const Rigid3& cam_from_world(int view) const { return photos_[size_t(view)].cam_from_world; }
  std::vector<Rigid3> cams_from_world() const;  // by view; empty where not active
  // How far the camera was moved from where it was given; 0 where it was not.
  double moved_px(int view) const;

  // One step for the photo of `iteration`, which stays without a depth. depth: of the view (median_depth), used for the
  // photo's first step.
  bool knows_depth(int view) const { return photos_[size_t(view)].depth > 0; }
  void set_depth(int view, double depth) { photos_[size_t(view)].depth = depth; }
  void step(int view, const PoseGradient& gradient, int iteration, int iterations);

  void place(int view, View& drawn) const override;
  void weigh(const TermIteration& now, Backend& backend, LossSettings& loss, SurfaceSettings& surface) override;
  void step(const TermIteration& now, Backend& backend, const LossValue& loss) override;
  void save(Archive& archive) const override;
  Status load(const Archive& archive) override;  // of as many views

 private:
  struct Photo {  // as it lies in checkpoints
    Rigid3 cam_from_world;
    PoseAdam adam;
    double depth = 0;
  };

  void move(int view, const PoseGradient& gradient, int iteration, int iterations);
  void remove_common_motion();

  PoseMode mode_ = PoseMode::kOff;
  std::vector<int> training_;
  std::vector<View> given_;    // by view
  std::vector<Photo> photos_;  // by view
  bool decided_ = false, active_ = false;
  double median_px_ = 0;
};

}  // namespace splat
