#include "io/reconstruction/origin.h"

#include <algorithm>
#include <cmath>

namespace io {

namespace {

constexpr double kFar = 100;  // times the spread: a float is still exact to a hundred thousandth of that

}  // namespace

std::array<double, 3> local_origin(std::span<const splat::Rigid3> cam_from_world) {
  std::array<double, 3> mean{};
  for (const splat::Rigid3& pose : cam_from_world) {
    const std::array<double, 3> centre = pose.origin_in_source();
    for (size_t k = 0; k < 3; ++k) mean[k] += centre[k] / double(cam_from_world.size());
  }
  double spread = 0, distance = 0;
  for (const splat::Rigid3& pose : cam_from_world) {
    const std::array<double, 3> centre = pose.origin_in_source();
    for (size_t k = 0; k < 3; ++k) spread = std::max(spread, std::abs(centre[k] - mean[k]));
  }
  for (const double value : mean) distance = std::max(distance, std::abs(value));
  if (!(spread > 0) || !(distance > kFar * spread) || !std::isfinite(distance)) return {};
  const double step = std::pow(10.0, std::floor(std::log10(spread)));
  for (double& value : mean) value = std::round(value / step) * step;
  return mean;
}

splat::Rigid3 relative_to(const splat::Rigid3& cam_from_world, const std::array<double, 3>& origin) {
  splat::Rigid3 pose = cam_from_world;
  pose.translation = cam_from_world * origin;
  return pose;
}

}  // namespace io
