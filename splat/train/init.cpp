#include "splat/train/init.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "knn/knn.h"
#include "splat/core/random.h"
#include "splat/math/activation.h"
#include "splat/math/sh.h"
#include "splat/train/scene_extent.h"

namespace splat {
namespace {

using Point = std::array<double, 3>;

constexpr int kNeighbours = 3;                  // reference code
constexpr double kMinSquaredDistance = 1e-7;    // world units squared; reference code
constexpr double kMinExtentFraction = 1e-4;     // of the extent, where that is smaller: scenes in kilometres
constexpr double kLonelyExtentFraction = 0.01;  // of the extent: scale of a single point

// `count` of the points, chosen with the same chance each, in their order.
PointCloud subsample(const PointCloud& points, size_t count, uint64_t seed) {
  std::vector<uint32_t> chosen(points.size());
  std::iota(chosen.begin(), chosen.end(), 0u);
  random::Sequence numbers(seed, random::kRandomInit);
  for (size_t i = 0; i < count; ++i) std::swap(chosen[i], chosen[i + numbers.below(uint32_t(chosen.size() - i))]);
  chosen.resize(count);
  std::sort(chosen.begin(), chosen.end());
  PointCloud result;
  for (uint32_t i : chosen) {
    result.xyz.insert(result.xyz.end(), &points.xyz[3 * size_t(i)], &points.xyz[3 * size_t(i)] + 3);
    result.rgb.insert(result.rgb.end(), &points.rgb[3 * size_t(i)], &points.rgb[3 * size_t(i)] + 3);
  }
  return result;
}

struct Ray {
  Point origin, direction;  // unit length
};

std::vector<Ray> optical_axes(const Dataset& dataset) {
  std::vector<Ray> rays;
  for (int index : dataset.training_views()) {
    const Rigid3& pose = dataset.views[size_t(index)].cam_from_world;
    rays.push_back({pose.origin_in_source(), {pose.rotation[6], pose.rotation[7], pose.rotation[8]}});
  }
  return rays;
}

// The point with the least sum of squared distances to all rays: sum_i (I - d d^T) (x - o) = 0, by Cramer's rule.
// Rays that are almost parallel have none; then the point `fallback_distance` ahead of the mean camera.
Point focus_point(const std::vector<Ray>& rays, double fallback_distance) {
  double a[3][3] = {}, b[3] = {};
  Point ahead{};
  for (const Ray& ray : rays)
    for (int r = 0; r < 3; ++r) {
      ahead[r] += (ray.origin[r] + fallback_distance * ray.direction[r]) / double(rays.size());
      for (int c = 0; c < 3; ++c) {
        const double projector = ((r == c) - ray.direction[r] * ray.direction[c]) / double(rays.size());
        a[r][c] += projector;
        b[r] += projector * ray.origin[c];
      }
    }
  auto determinant = [](const double(&m)[3][3]) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  };
  const double whole = determinant(a);
  constexpr double kParallel = 1e-3;  // the determinant is about the mean squared angle between the rays
  if (!(whole > kParallel)) return ahead;
  Point focus;
  for (int column = 0; column < 3; ++column) {
    double replaced[3][3];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) replaced[r][c] = c == column ? b[r] : a[r][c];
    focus[column] = determinant(replaced) / whole;
  }
  return focus;
}

}  // namespace

Gaussians gaussians_from_points(const PointCloud& points, const TrainConfig& config, double extent, int threads) {
  const std::vector<float> squared_distance = knn::mean_squared_distance_to_nearest(points.xyz, kNeighbours, threads);
  const double smallest = std::min(kMinSquaredDistance, std::pow(kMinExtentFraction * extent, 2));
  const double lonely = std::pow(kLonelyExtentFraction * extent, 2);
  const float logit_opacity = float(math::logit(double(config.initial_opacity)));

  Gaussians splats;
  splats.sh_degree = config.sh_degree;
  splats.resize(points.size());
  splats.means = points.xyz;
  const size_t sh_width = size_t(splats.coefficients()) * 3;
  for (size_t i = 0; i < points.size(); ++i) {
    const double squared = points.size() == 1 ? lonely : std::max(smallest, double(squared_distance[i]));
    std::fill_n(&splats.log_scales[3 * i], 3, float(0.5 * std::log(squared)));
    splats.quats[4 * i] = 1;
    splats.logit_opacities[i] = logit_opacity;
    for (size_t c = 0; c < 3; ++c)
      splats.sh[i * sh_width + c] = float((points.rgb[3 * i + c] / 255.0 - 0.5) / math::kSh0);
  }
  return splats;
}

PointCloud random_points(const Dataset& dataset, uint64_t count, uint64_t seed) {
  const std::vector<Ray> rays = optical_axes(dataset);
  const double extent = scene_extent(dataset);
  const Point focus = focus_point(rays, extent);
  double half_side = 0;
  for (const Ray& ray : rays)
    half_side +=
        std::hypot(ray.origin[0] - focus[0], ray.origin[1] - focus[1], ray.origin[2] - focus[2]) / double(rays.size());
  half_side = std::max(half_side, extent);  // cameras looking outwards from one place

  PointCloud points;
  random::Sequence numbers(seed, random::kRandomInit);
  for (uint64_t i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis)
      points.xyz.push_back(float(focus[axis] + half_side * (2 * double(numbers.uniform()) - 1)));
    for (int channel = 0; channel < 3; ++channel) points.rgb.push_back(uint8_t(numbers.below(256)));
  }
  return points;
}

InitialModel initial_model(const Dataset& dataset, const TrainConfig& config, int threads) {
  InitialModel result;
  const double extent = scene_extent(dataset);
  const uint64_t most = config.max_splats > 0 ? config.max_splats : UINT64_MAX;
  if (dataset.points.size() == 0) {
    const uint64_t count = std::min(most, config.random_splats);
    result.notes.push_back("The dataset has no points: training starts from " + std::to_string(count) +
                           " random splats around what the cameras look at.");
    result.splats = gaussians_from_points(random_points(dataset, count, config.seed), config, extent, threads);
  } else if (dataset.points.size() > most) {
    result.notes.push_back("Of the " + std::to_string(dataset.points.size()) + " points a random " +
                           std::to_string(most) + " are used, as many as splats are allowed.");
    result.splats =
        gaussians_from_points(subsample(dataset.points, size_t(most), config.seed), config, extent, threads);
  } else {
    result.splats = gaussians_from_points(dataset.points, config, extent, threads);
  }
  return result;
}

}  // namespace splat
