#include "io/reconstruction/origin.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "splat/core/percentile.h"
#include "splat/model/stray_views.h"

namespace io {

namespace {

constexpr double kFar = 100;  // times the spread: a float is still exact to a hundred thousandth of that

std::array<double, 3> rounded_if_far(std::array<double, 3> middle, double spread) {
  double distance = 0;
  for (const double value : middle) distance = std::max(distance, std::abs(value));
  if (!(spread > 0) || !(distance > kFar * spread) || !std::isfinite(distance)) return {};
  const double step = std::pow(10.0, std::floor(std::log10(spread)));
  for (double& value : middle) value = std::round(value / step) * step;
  return middle;
}

}  // namespace

std::array<double, 3> local_origin(std::span<const splat::Rigid3> cam_from_world) {
  const std::vector<size_t> outside = splat::main_part(cam_from_world).outside;
  std::vector<std::array<double, 3>> centres;
  for (size_t i = 0; i < cam_from_world.size(); ++i)
    if (!std::binary_search(outside.begin(), outside.end(), i)) centres.push_back(cam_from_world[i].origin_in_source());
  std::array<double, 3> mean{};
  for (const std::array<double, 3>& centre : centres)
    for (size_t k = 0; k < 3; ++k) mean[k] += centre[k] / double(centres.size());
  double spread = 0;
  for (const std::array<double, 3>& centre : centres)
    for (size_t k = 0; k < 3; ++k) spread = std::max(spread, std::abs(centre[k] - mean[k]));
  return rounded_if_far(mean, spread);
}

std::array<double, 3> local_origin_of(std::span<const double> xyz) {
  std::array<double, 3> middle{};
  double spread = 0, widest = 0;
  std::vector<double> values;
  for (size_t axis = 0; axis < 3; ++axis) {
    values.clear();
    for (size_t i = axis; i < xyz.size(); i += 3)
      if (std::isfinite(xyz[i])) values.push_back(xyz[i]);
    if (values.empty()) return {};
    middle[axis] = splat::percentile(values, 0.5);
    spread = std::max(spread, splat::percentile(values, 0.95) - splat::percentile(values, 0.05));
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    widest = std::max(widest, *high - *low);
  }
  if (spread == 0) spread = widest;  // of two or three places
  return rounded_if_far(middle, spread);
}

splat::Rigid3 relative_to(const splat::Rigid3& cam_from_world, const std::array<double, 3>& origin) {
  splat::Rigid3 pose = cam_from_world;
  pose.translation = cam_from_world * origin;
  return pose;
}

}  // namespace io
