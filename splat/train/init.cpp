#include "splat/train/init.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "knn/knn.h"
#include "splat/core/random.h"
#include "splat/math/activation.h"
#include "splat/math/sh.h"
#include "splat/model/box.h"
#include "splat/model/focus_point.h"
#include "splat/train/far_points.h"
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

std::vector<Rigid3> poses_of(const Dataset& dataset) {
  std::vector<Rigid3> poses;
  for (const int view : dataset.training_views()) poses.push_back(dataset.views[size_t(view)].cam_from_world);
  return poses;
}

// Uniform in a box around its middle, with random colours.
PointCloud points_in(const Box& box, uint64_t count, random::Sequence& numbers) {
  const Point centre = box.centre(), half = box.half();
  const math::Mat3<double> turn = math::rotation_from_quat(box.rotation);
  PointCloud points;
  for (uint64_t i = 0; i < count; ++i) {
    Point away{};
    for (size_t axis = 0; axis < 3; ++axis) away[axis] = half[axis] * (2 * double(numbers.uniform()) - 1);
    const math::Vec3<double> turned = turn * math::Vec3<double>{away[0], away[1], away[2]};
    points.xyz.push_back(float(centre[0] + turned.x));
    points.xyz.push_back(float(centre[1] + turned.y));
    points.xyz.push_back(float(centre[2] + turned.z));
    for (int channel = 0; channel < 3; ++channel) points.rgb.push_back(uint8_t(numbers.below(256)));
  }
  return points;
}

void append(const PointCloud& more, PointCloud& points) {
  points.xyz.insert(points.xyz.end(), more.xyz.begin(), more.xyz.end());
  points.rgb.insert(points.rgb.end(), more.rgb.begin(), more.rgb.end());
}

PointCloud points_inside(const PointCloud& points, const Box& box) {
  PointCloud inside;
  for (size_t i = 0; i < points.size(); ++i) {
    if (!box.contains({points.xyz[3 * i], points.xyz[3 * i + 1], points.xyz[3 * i + 2]})) continue;
    inside.xyz.insert(inside.xyz.end(), &points.xyz[3 * i], &points.xyz[3 * i] + 3);
    inside.rgb.insert(inside.rgb.end(), &points.rgb[3 * i], &points.rgb[3 * i] + 3);
  }
  return inside;
}

bool adds_far_points(const TrainConfig& config) {
  return config.far_points == kAuto ? row_of(config.strategy).more_points : config.far_points > 0;
}

// What there is to start from. Where no point lies in the region, random ones fill it.
PointCloud starting_points(const Dataset& dataset, const PointCloud& matched, const TrainConfig& config, uint64_t most,
                           std::vector<std::string>& notes) {
  const bool bounded = !config.region.empty();
  PointCloud inside = bounded ? points_inside(dataset.points, config.region) : dataset.points;
  const bool any_inside = inside.size() > 0;
  PointCloud points;
  if (bounded && !config.region_alone)
    points = dataset.points;
  else
    points = std::move(inside);
  if (any_inside) {
    if (bounded) return points;
    if (matched.size() > 0)
      notes.push_back(std::to_string(matched.size()) +
                      " splats start where photos look alike and the reconstruction has no points.");
    append(matched, points);
    if (adds_far_points(config)) {
      const PointCloud far = far_points(dataset, points);
      if (far.size() > 0)
        notes.push_back(std::to_string(far.size()) +
                        " splats start far away, where photos show more than the reconstruction has points for.");
      append(far, points);
    }
    return points;
  }
  const uint64_t count = std::min(most, config.random_splats);
  random::Sequence numbers(config.seed, random::kRandomInit);
  if (!bounded) {
    notes.push_back("The dataset has no points: training starts from " + std::to_string(count) +
                    " random splats around what the cameras look at.");
    return random_points(dataset, count, config.seed);
  }
  notes.push_back("No point of the dataset lies in the region: " + std::to_string(count) +
                  " random splats fill it at the start.");
  append(points_in(config.region, count, numbers), points);
  return points;
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
  const std::vector<Rigid3> poses = poses_of(dataset);
  const double extent = scene_extent(dataset);
  const Point focus = focus_point(poses, extent);
  const double half = std::max(mean_distance(poses, focus), extent);  // extent: cameras looking outwards from one place
  random::Sequence numbers(seed, random::kRandomInit);
  return points_in(box_about(focus, {half, half, half}), count, numbers);
}

InitialModel initial_model(const Dataset& dataset, const TrainConfig& config, int threads, const PointCloud& matched) {
  InitialModel result;
  const double extent = scene_extent(dataset);
  const uint64_t most = config.max_splats > 0 ? config.max_splats : UINT64_MAX;
  PointCloud points = starting_points(dataset, matched, config, most, result.notes);
  if (points.size() > most) {
    result.notes.push_back("Of the " + std::to_string(points.size()) + " points a random " + std::to_string(most) +
                           " are used, as many as splats are allowed.");
    points = subsample(points, size_t(most), config.seed);
  }
  result.splats = gaussians_from_points(points, config, extent, threads);
  return result;
}

}  // namespace splat
