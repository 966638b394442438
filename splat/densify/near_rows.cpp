#include "splat/densify/near_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "splat/core/percentile.h"
#include "splat/densify/row_parts.h"

namespace splat {
namespace {

// Without those that are farther from all of the group than another one is.
std::vector<uint32_t> perhaps_nearest(const Sights& cameras, std::span<const uint32_t> of, const RowGroup& group) {
  double limit = std::numeric_limits<double>::infinity();
  for (const uint32_t i : of) limit = std::min(limit, group.cell.largest_squared_distance(cameras.sights[i].centre));
  limit = math::with_slack(limit);
  return chosen(of, [&](uint32_t i) {
    return group.any && group.cell.least_squared_distance(cameras.sights[i].centre) <= limit;
  });
}

// Squared; infinite where the place is not finite.
double distance_to_nearest(const Sights& cameras, std::span<const uint32_t> of, const Place& place) {
  double least = std::numeric_limits<double>::infinity();
  for (const uint32_t i : of) {
    const double squared = math::squared_distance(cameras.sights[i].centre, place);
    if (squared < least) least = squared;
  }
  return least;
}

}  // namespace

std::vector<float> growth_by_distance(const Ellipsoids& model, std::span<const View> views, double share,
                                      ThreadPool* pool) {
  std::vector<float> factor(model.size(), 1.0f);
  if (!(share > 0) || views.empty() || model.size() == 0) return factor;
  const Sights cameras(views);
  std::vector<double> distance(model.size(), std::numeric_limits<double>::infinity());
  const std::vector<uint32_t> all = all_of_them(cameras.size());
  const std::vector<RowPart> parts = row_parts(model, pool);
  for_each(pool, parts.size(), [&](size_t i, int) {
    const std::vector<uint32_t> of_part = perhaps_nearest(cameras, all, parts[i]);
    for (const RowGroup& group : parts[i].groups) {
      end_if_asked(pool);
      const std::vector<uint32_t> of_group = perhaps_nearest(cameras, of_part, group);
      for (size_t row = group.first; row < group.end; ++row)
        distance[row] = distance_to_nearest(cameras, of_group, place_of(model, row));
    }
  });
  std::vector<double> ordered = distance;
  const auto known = std::count_if(ordered.begin(), ordered.end(), [](double d) { return std::isfinite(d); });
  if (known == 0) return factor;
  const double far = nth_value(ordered, std::min(size_t(known - 1), math::far_place(share, ordered.size())));
  for (size_t row = 0; row < model.size(); ++row)
    factor[row] = math::growth_factor(distance[row], math::inverse_squared_far(far));
  return factor;
}

}  // namespace splat
