#include "splat/train/init.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "knn/knn.h"
#include "splat/core/counted.h"
#include "splat/core/percentile.h"
#include "splat/core/random.h"
#include "splat/math/activation.h"
#include "splat/math/sh.h"
#include "splat/model/box.h"
#include "splat/model/focus_point.h"
#include "splat/model/pixel.h"
#include "splat/train/far_points.h"
#include "splat/train/growth_limit.h"
#include "splat/train/scene_extent.h"

namespace splat {
namespace {

using Point = std::array<double, 3>;

constexpr int kNeighbours = 3;                         // reference code
constexpr double kMinSquaredDistance = 1e-7;           // world units squared; reference code
constexpr double kMinExtentFraction = 1e-4;            // of the extent, where that is smaller: scenes in kilometres
constexpr double kLonelyExtentFraction = 0.01;         // of the extent: scale of a single point
constexpr uint64_t kMostRandom = 100000;               // splats, unless the settings say how many; reference code
constexpr uint8_t kGrey = 128;                         // random points; random colours take far longer to forget
constexpr double kOneDirection = 0.9;                  // length of the mean of the cameras' axes
constexpr double kNearest = 0.5, kFarthestAhead = 20;  // extents

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

void add_point(const Point& point, PointCloud& points) {
  for (const double x : point) points.xyz.push_back(float(x));
  points.rgb.insert(points.rgb.end(), 3, kGrey);
}

// What most photos show of the place that their cameras look at from around it, a cube. None where cameras look
// outwards, or all in one direction: then such a place is no more than where their axes happen to pass each other.
std::optional<Box> looked_at(const Dataset& dataset, double extent) {
  std::vector<View> views;
  std::vector<Rigid3> poses;
  Point along{};
  for (const int view : dataset.training_views()) {
    views.push_back(dataset.views[size_t(view)].view());
    poses.push_back(views.back().cam_from_world);
    for (size_t axis = 0; axis < 3; ++axis) along[axis] += poses.back().rotation[6 + axis];
  }
  const Point focus = focus_point(poses, extent);
  std::vector<double> reach;  // of the photos that show it
  for (const View& view : views)
    if (const auto pixel = pixel_in_frame(view, focus)) {
      const PinholeCamera& c = view.camera;
      reach.push_back(pixel->depth * std::max(double(c.width) / double(c.fx), double(c.height) / double(c.fy)) / 2);
    }
  if (2 * reach.size() <= views.size() ||
      std::hypot(along[0], along[1], along[2]) > kOneDirection * double(views.size()))
    return std::nullopt;
  const double half = median(std::move(reach));
  return box_about(focus, {half, half, half});
}

// In all pictures, evenly, and in the logarithm of their depth.
PointCloud points_ahead(const Dataset& dataset, double extent, uint64_t count, random::Sequence& numbers) {
  const std::vector<int> training = dataset.training_views();
  PointCloud points;
  for (uint64_t i = 0; i < count; ++i) {
    const View view = dataset.views[size_t(training[size_t(i) % training.size()])].view();
    const double x = double(numbers.uniform()) * view.camera.width, y = double(numbers.uniform()) * view.camera.height;
    const double depth = extent * kNearest * std::pow(kFarthestAhead / kNearest, double(numbers.uniform()));
    add_point(point_at(view, {x, y, depth}), points);
  }
  return points;
}

// Uniform in a box around its middle.
PointCloud points_in(const Box& box, uint64_t count, random::Sequence& numbers) {
  const Point centre = box.centre(), half = box.half();
  const math::Mat3<double> turn = math::rotation_from_quat(box.rotation);
  PointCloud points;
  for (uint64_t i = 0; i < count; ++i) {
    Point away{};
    for (size_t axis = 0; axis < 3; ++axis) away[axis] = half[axis] * (2 * double(numbers.uniform()) - 1);
    const math::Vec3<double> turned = turn * math::Vec3<double>{away[0], away[1], away[2]};
    add_point({centre[0] + turned.x, centre[1] + turned.y, centre[2] + turned.z}, points);
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

bool adds_far_points(const Dataset& dataset, const TrainConfig& config) {
  if (config.far_points != kAuto) return config.far_points > 0;
  return dataset.points.size() == 0 || row_of(config.strategy).more_points;
}

// Points for a dataset without any: matched photos, far points behind them, and random ones for the rest.
PointCloud found_points(const Dataset& dataset, const PointCloud& matched, const TrainConfig& config, uint64_t most,
                        std::vector<std::string>& notes) {
  PointCloud points = matched;
  if (adds_far_points(dataset, config)) append(far_points(dataset, matched), points);
  if (config.region_alone) points = points_inside(points, config.region);
  if (config.random_splats > 0 && points.size() > config.random_splats)
    points = subsample(points, size_t(config.random_splats), config.seed);
  const size_t found = points.size();
  const uint64_t wanted = std::min(most, random_splats(dataset, config)),
                 missing = wanted - std::min<uint64_t>(wanted, found);
  std::string note = "The dataset has no points: training starts from " + counted(missing, "random splat") + " " +
                     (config.region.empty() ? "around what the cameras look at" : "in the region");
  if (found > 0) note += " and " + std::to_string(found) + " where photos look alike, or far behind those";
  notes.push_back(note + ".");
  append(random_points(dataset, config, missing), points);
  return points;
}

// What there is to start from. Where no point lies in the region, random ones fill it.
PointCloud starting_points(const Dataset& dataset, const PointCloud& matched, const TrainConfig& config, uint64_t most,
                           std::vector<std::string>& notes) {
  if (dataset.points.size() == 0) return found_points(dataset, matched, config, most, notes);
  PointCloud points = dataset.points;
  if (!config.region.empty()) {
    const PointCloud inside = points_inside(points, config.region);
    if (config.region_alone) points = inside;
    if (inside.size() > 0) return points;
    const uint64_t count = std::min(most, random_splats(dataset, config));
    notes.push_back("No point of the dataset lies in the region: " +
                    counted(count, "random splat fills", "random splats fill") + " it at the start.");
    append(random_points(dataset, config, count), points);
    return points;
  }
  if (matched.size() > 0)
    notes.push_back(counted(matched.size(), "splat starts", "splats start") +
                    " where photos look alike and the reconstruction has no points.");
  append(matched, points);
  if (!adds_far_points(dataset, config)) return points;
  const PointCloud far = far_points(dataset, points);
  if (far.size() > 0)
    notes.push_back(counted(far.size(), "splat starts", "splats start") +
                    " far away, where photos show more than the reconstruction has points for.");
  append(far, points);
  return points;
}

}  // namespace

Gaussians gaussians_from_points(const PointCloud& points, const TrainConfig& config, double extent, int threads,
                                const StopAsked& stop) {
  const std::vector<float> squared_distance =
      knn::mean_squared_distance_to_nearest(points.xyz, kNeighbours, threads, [&] { end_if(stop); });
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

uint64_t random_splats(const Dataset& dataset, const TrainConfig& config) {
  if (config.random_splats > 0) return config.random_splats;
  const uint64_t determined = splats_determined_by_pixels(dataset, config.sh_degree);
  return std::clamp<uint64_t>(determined / 2, 1, kMostRandom);
}

PointCloud random_points(const Dataset& dataset, const TrainConfig& config, uint64_t count) {
  random::Sequence numbers(config.seed, random::kRandomInit);
  if (!config.region.empty()) return points_in(config.region, count, numbers);
  const double extent = scene_extent(dataset);
  if (const std::optional<Box> box = looked_at(dataset, extent)) return points_in(*box, count, numbers);
  return points_ahead(dataset, extent, count, numbers);
}

uint64_t starting_splats(const Dataset& dataset, const TrainConfig& config) {
  const uint64_t points = dataset.points.size();
  const uint64_t inside = config.region.empty() ? points : points_inside(dataset.points, config.region).size();
  uint64_t count = config.region_alone ? inside : points;
  if (inside == 0) count += random_splats(dataset, config);
  return config.max_splats > 0 ? std::min(count, config.max_splats) : count;
}

InitialModel initial_model(const Dataset& dataset, const TrainConfig& config, int threads, const PointCloud& matched,
                           const StopAsked& stop) {
  InitialModel result;
  const double extent = scene_extent(dataset);
  const uint64_t most = config.max_splats > 0 ? config.max_splats : UINT64_MAX;
  PointCloud points = starting_points(dataset, matched, config, most, result.notes);
  if (points.size() > most) {
    result.notes.push_back(std::to_string(most) + " of the " + std::to_string(points.size()) +
                           " points, chosen at random, are used, as many as splats are allowed.");
    points = subsample(points, size_t(most), config.seed);
  }
  result.splats = gaussians_from_points(points, config, extent, threads, stop);
  return result;
}

}  // namespace splat
