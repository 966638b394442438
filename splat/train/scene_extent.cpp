#include "splat/train/scene_extent.h"
#include "splat/core/percentile.h"
#include "splat/model/stray_views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace splat {
namespace {

constexpr double kMargin = 1.1;  // reference code

double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double median_point_distance(const PointCloud& points, const std::array<double, 3>& from) {
  std::vector<double> distances(points.size());
  for (size_t i = 0; i < distances.size(); ++i)
    distances[i] = distance(from, {points.xyz[3 * i], points.xyz[3 * i + 1], points.xyz[3 * i + 2]});
  return median(std::move(distances));
}

}  // namespace

double scene_extent(const Dataset& dataset) {
  std::vector<std::array<double, 3>> centres;
  const std::vector<int> outside = far_views(dataset).outside;
  for (int view : dataset.training_views())
    if (!std::binary_search(outside.begin(), outside.end(), view))
      centres.push_back(dataset.views[size_t(view)].cam_from_world.origin_in_source());

  std::array<double, 3> mean{};
  for (const auto& centre : centres)
    for (int axis = 0; axis < 3; ++axis) mean[axis] += centre[axis] / double(centres.size());
  double largest = 0;
  for (const auto& centre : centres) largest = std::max(largest, distance(centre, mean));

  double magnitude = 1;  // of the coordinates: rounding of the mean is no baseline
  for (double coordinate : mean) magnitude = std::max(magnitude, std::abs(coordinate));
  if (largest > 1e-9 * magnitude) return kMargin * largest;
  const double fallback = median_point_distance(dataset.points, mean);
  return fallback > 0 ? fallback : 1;
}

}  // namespace splat
