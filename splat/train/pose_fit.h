// The pose of one photo, moved by Adam along the gradient of the loss. Steps are measured in pixels: a rotation by a
// pixel is 1 / focal length, a translation by a pixel the median depth of the view / focal length, so that rates do not
// depend on the units of the scene. align_pose() fits a pose to its photo with the splats held still: what a held-out
// photo needs before it can be compared, for any trainer's splats alike (nerfstudio and gsplat evaluate so).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/rigid_motion.h"

namespace splat {

// What moves the middle of the picture by a pixel.
struct PoseScale {
  double rotation = 0;     // radians
  double translation = 0;  // world units
};
PoseScale pose_scale(const PinholeCamera& camera, double depth);

// The median of the median depths of the pixels of the view drawn last; 0 if nothing is drawn.
double median_depth(Backend& backend);

// Mean distance in pixels by which a motion moves a grid of points on the picture that lie at this depth.
double moved_px(const PinholeCamera& camera, double depth, const RigidMotion& motion);

// Adam's state of one pose, as it lies in checkpoints; in pixels.
struct PoseAdam {
  std::array<double, 6> first{}, second{};  // moments: translation, then rotation
  int64_t steps = 0;
};
// The motion of one step. `away`: how far the pose is from the one given, which it is pulled back to.
RigidMotion pose_step(PoseAdam& adam, const PoseGradient& gradient, const RigidMotion& away, const PoseScale& scale,
                      double rate_px);

// cam_from_world, fitted to the photo. A view that shows nothing stays.
struct PoseFit {
  Rigid3 cam_from_world;
  double moved_px = 0;
};
// Draws and differentiates the view `steps` times; the statistics of densification (backend.h) gain by it.
PoseFit align_pose(Backend& backend, const View& view, const TrainingImage& photo, const RenderSettings& settings,
                   const LossSettings& loss, int steps);

struct PoseFitRequest {
  const Dataset& dataset;
  ImageSource& images;
  std::span<const int> views;
  RenderSettings render;
  int steps = 0;
  std::vector<PhotoColour> colours{};  // by view, that the photos are seen through; empty: as drawn
};
// Fits these views, each from its given pose. The statistics of densification are as before: 12 bytes a splat.
Result<std::vector<PoseFit>> align_poses(Backend& backend, const PoseFitRequest& request);

}  // namespace splat
