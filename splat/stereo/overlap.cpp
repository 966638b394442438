#include "splat/stereo/overlap.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "splat/model/pixel.h"

namespace splat::stereo {
namespace {

using Point = std::array<double, 3>;

constexpr size_t kMostPoints = 3000;  // evenly spread over the list
constexpr size_t kFewestPoints = 10;  // in a photo
constexpr double kFirst = 0.01;       // share of the points nearer than the nearest that count; likewise the farthest
constexpr double kNearer = 0.7, kFarther = 3;
constexpr double kBestAngle = 6;             // degrees
constexpr double kBelow = 2.5, kAbove = 12;  // degrees: one standard deviation of what an angle is worth
constexpr double kLeastShared = 0.02;        // of a photo's points, by their worth

std::vector<Point> points_in_frame(const View& view, std::span<const Point> points, std::vector<double>& depths) {
  std::vector<Point> seen;
  const size_t count = std::min(points.size(), kMostPoints);
  for (size_t i = 0; i < count; ++i) {
    const Point& point = points[i * points.size() / count];
    const auto pixel = pixel_of(view, point);
    if (!pixel || !is_in_frame(view.camera, *pixel)) continue;
    seen.push_back(point);
    depths.push_back(pixel->depth);
  }
  return seen;
}

double degrees_between(const Point& a, const Point& b, const Point& seen) {
  double dot = 0, to_a = 0, to_b = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double u = seen[axis] - a[axis], v = seen[axis] - b[axis];
    dot += u * v, to_a += u * u, to_b += v * v;
  }
  return std::acos(std::clamp(dot / std::sqrt(to_a * to_b), -1.0, 1.0)) * 180 / std::numbers::pi;
}

double worth(double degrees) {
  const double away = (degrees - kBestAngle) / (degrees < kBestAngle ? kBelow : kAbove);
  return std::exp(-away * away / 2);
}

Overlap overlap_of(std::span<const View> views, size_t view, std::span<const Point> points, size_t most_others) {
  Overlap result;
  std::vector<double> depths;
  const std::vector<Point> seen = points_in_frame(views[view], points, depths);
  if (depths.size() < kFewestPoints) return result;
  std::sort(depths.begin(), depths.end());
  const double last = double(depths.size() - 1);
  result.near = kNearer * depths[size_t(kFirst * last)];
  result.far = kFarther * depths[size_t((1 - kFirst) * last)];

  const Point centre = views[view].cam_from_world.origin_in_source();
  std::vector<std::pair<double, size_t>> scored;
  for (size_t other = 0; other < views.size(); ++other) {
    if (other == view) continue;
    const Point there = views[other].cam_from_world.origin_in_source();
    double score = 0;
    for (const Point& point : seen) {
      const auto pixel = pixel_of(views[other], point);
      if (pixel && is_in_frame(views[other].camera, *pixel)) score += worth(degrees_between(centre, there, point));
    }
    if (score > kLeastShared * double(seen.size())) scored.push_back({score, other});
  }
  std::sort(scored.begin(), scored.end(), std::greater<>());
  for (size_t i = 0; i < std::min(most_others, scored.size()); ++i) result.others.push_back(scored[i].second);
  return result;
}

}  // namespace

std::vector<Overlap> overlaps(std::span<const View> views, std::span<const Point> points, size_t most_others,
                              ThreadPool& pool) {
  std::vector<Overlap> all(views.size());
  pool.for_each(views.size(), [&](size_t view, int) { all[view] = overlap_of(views, view, points, most_others); });
  return all;
}

}  // namespace splat::stereo
