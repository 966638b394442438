#include "splat/densify/near_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "splat/core/percentile.h"
#include "splat/core/vectors.h"
#include "splat/densify/row_parts.h"

namespace splat {
namespace {

using Point = std::array<double, 3>;

// Without those that are farther from all of the group than another one is.
std::vector<uint32_t> perhaps_nearest(const std::vector<Point>& cameras, std::span<const uint32_t> of,
                                      const RowGroup& group) {
  double limit = std::numeric_limits<double>::infinity();
  for (const uint32_t i : of) limit = std::min(limit, group.cell.largest_squared_distance(cameras[i]));
  return chosen(of, [&](uint32_t i) { return group.any && group.cell.least_squared_distance(cameras[i]) <= limit; });
}

// Infinite where the place is not finite.
double distance_to_nearest(const std::vector<Point>& cameras, std::span<const uint32_t> of, const Point& place) {
  double least = std::numeric_limits<double>::infinity();
  Point away{};
  for (const uint32_t i : of) {
    const double squared = squared_distance(cameras[i], place);
    if (squared < least) least = squared, away = place - cameras[i];
  }
  return std::isfinite(least) ? std::hypot(away[0], away[1], away[2]) : least;
}

}  // namespace

std::vector<float> growth_by_distance(const Ellipsoids& model, std::span<const View> views, double share,
                                      ThreadPool* pool) {
  std::vector<float> factor(model.size(), 1.0f);
  if (!(share > 0) || views.empty() || model.size() == 0) return factor;
  std::vector<Point> cameras;
  for (const View& view : views) {
    const Point centre = view.cam_from_world.origin_in_source();
    cameras.push_back({float(centre[0]), float(centre[1]), float(centre[2])});
  }
  std::vector<double> distance(model.size(), std::numeric_limits<double>::infinity());
  const std::vector<uint32_t> all = all_of_them(cameras.size());
  const std::vector<RowPart> parts = row_parts(model, pool);
  for_each(pool, parts.size(), [&](size_t i, int) {
    const std::vector<uint32_t> of_part = perhaps_nearest(cameras, all, parts[i]);
    for (const RowGroup& group : parts[i].groups) {
      end_if_asked(pool);
      const std::vector<uint32_t> of_group = perhaps_nearest(cameras, of_part, group);
      for (size_t row = group.first; row < group.end; ++row)
        distance[row] = distance_to_nearest(cameras, of_group, centre_of(model, row));
    }
  });
  std::vector<double> ordered = distance;
  const auto known = std::count_if(ordered.begin(), ordered.end(), [](double d) { return std::isfinite(d); });
  if (known == 0) return factor;
  const auto place = std::min(size_t(known - 1), size_t(std::min(share, 1.0) * double(ordered.size() - 1)));
  const double far = nth_value(ordered, place);
  if (!(far > 0)) return factor;
  for (size_t row = 0; row < model.size(); ++row) {
    const double nearness = std::min(1.0, distance[row] / far);
    if (nearness < 1) factor[row] = float(nearness * nearness);
  }
  return factor;
}

}  // namespace splat
