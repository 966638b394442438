#include "splat/train/pose_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "splat/core/percentile.h"
#include "splat/math/adam.h"
#include "splat/optim/exponential_fall.h"

namespace splat {
namespace {

// As PyTorch's but for the second moment's memory: a pose is stepped tens of times.
constexpr double kPoseBeta1 = 0.9, kPoseBeta2 = 0.99, kPoseEpsilon = 1e-10;
constexpr double kToGivenPose = 1e-5;                       // weight of the squared pixels moved in the loss; our own
constexpr double kFirstFitRate = 0.5, kLastFitRate = 0.01;  // px a step, where the splats are held still; our own

}  // namespace

PoseScale pose_scale(const PinholeCamera& camera, double depth) {
  const double pixel = 2.0 / (double(camera.fx) + double(camera.fy));
  return {pixel, pixel * depth};
}

double median_depth(Backend& backend) {
  std::vector<float> depths;
  backend.read_depth(DepthKind::kMedian, depths);
  std::erase_if(depths, [](float depth) { return !(depth > 0); });
  return median(std::move(depths));
}

double moved_px(const PinholeCamera& camera, double depth, const RigidMotion& motion) {
  const Rigid3 move = moved({}, motion);
  double sum = 0;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) {
      const double u = camera.width * (column + 0.5) / 3, v = camera.height * (row + 0.5) / 3;
      const auto p =
          move * std::array<double, 3>{(u - camera.cx) / camera.fx * depth, (v - camera.cy) / camera.fy * depth, depth};
      sum += std::hypot(camera.fx * p[0] / p[2] + camera.cx - u, camera.fy * p[1] / p[2] + camera.cy - v);
    }
  return sum / 9;
}

RigidMotion pose_step(PoseAdam& adam, const PoseGradient& gradient, const RigidMotion& away, const PoseScale& scale,
                      double rate_px) {
  adam.steps += 1;
  const int steps = int(std::min<int64_t>(adam.steps, INT32_MAX));
  const auto coefficients = math::adam_coefficients<double>(kPoseBeta1, kPoseBeta2, kPoseEpsilon, steps);
  const double size = math::adam_step_size(rate_px, kPoseBeta1, steps);
  RigidMotion motion;
  const auto step = [&](size_t i, double v, double from_given, double pixel, double& out) {
    double px = 0;
    math::adam_step(px, adam.first[i], adam.second[i], v * pixel + 2 * kToGivenPose * from_given / pixel, coefficients,
                    size);
    out = px * pixel;
  };
  for (size_t i = 0; i < 3; ++i) {
    step(i, gradient.translation[i], away.translation[i], scale.translation, motion.translation[i]);
    step(3 + i, gradient.rotation[i], away.rotation[i], scale.rotation, motion.rotation[i]);
  }
  return motion;
}

PoseFit align_pose(Backend& backend, const View& view, const TrainingImage& photo, const RenderSettings& settings,
                   const LossSettings& loss, int steps) {
  View at = view;
  PoseAdam adam;
  double depth = 0;
  for (int i = 0; i < steps; ++i) {
    backend.forward(at, settings);
    if (i == 0) depth = median_depth(backend);
    if (!(depth > 0)) break;
    backend.loss(photo, loss);
    backend.backward();
    const PoseGradient gradient = backend.read_pose_gradient();
    const double rate = exponential_fall(kFirstFitRate, kLastFitRate, double(i) / std::max(steps - 1, 1));
    at.cam_from_world =
        moved(at.cam_from_world, pose_step(adam, gradient, motion_between(view.cam_from_world, at.cam_from_world),
                                           pose_scale(view.camera, depth), rate));
  }
  const RigidMotion motion = motion_between(view.cam_from_world, at.cam_from_world);
  return {at.cam_from_world, depth > 0 ? moved_px(view.camera, depth, motion) : 0};
}

Result<std::vector<PoseFit>> align_poses(Backend& backend, const PoseFitRequest& request) {
  std::vector<PoseFit> fits;
  if (request.views.empty()) return fits;
  DensifyStatistics statistics;
  backend.read_statistics(statistics);
  request.images.prefetch(request.views);
  for (int view : request.views) {
    SPLAT_ASSIGN_OR_RETURN(const TrainingImage* photo, request.images.get(view));
    LossSettings loss;
    if (!request.colours.empty()) loss.colour = request.colours[size_t(view)];
    fits.push_back(
        align_pose(backend, request.dataset.views[size_t(view)].view(), *photo, request.render, loss, request.steps));
  }
  backend.write_statistics(statistics);
  return fits;
}

}  // namespace splat
