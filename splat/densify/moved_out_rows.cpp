#include "splat/densify/moved_out_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "splat/core/vectors.h"
#include "splat/densify/row_parts.h"

namespace splat {
namespace {

using Point = std::array<double, 3>;

constexpr double kStep = 1.1;      // between the distances that are tried
constexpr double kFarthest = 1e3;  // times the distance that a row had

// How many times farther from `from` a point has to lie so that no camera is `nearer` times nearer to it than that;
// 1: it may stay.
double times_farther(const std::vector<Point>& centres, const Point& from, const Point& point, double nearer) {
  double times = 1;
  const auto is_before_another = [&] {
    const Point p = from + times * (point - from);
    const double limit = squared_distance(from, p) / (nearer * nearer);
    return std::any_of(centres.begin(), centres.end(),
                       [&](const Point& centre) { return squared_distance(centre, p) < limit; });
  };
  while (times < kFarthest && is_before_another()) times *= kStep;
  return times < kFarthest ? times : 1;
}

}  // namespace

std::vector<uint32_t> move_rows_out(Ellipsoids& model, std::span<const View> views, double nearer, ThreadPool* pool) {
  std::vector<Point> centres;
  for (const View& view : views) centres.push_back(view.cam_from_world.origin_in_source());
  const std::vector<Frustum> frames = frusta(views);
  return by_part<uint32_t>(row_parts(model, pool), pool, [&](const RowPart& part, std::vector<uint32_t>& moved) {
    FewViews only(views, frames, 2, pool);
    only.visit(model, part, [&](size_t row, std::span<const FewViews::Seen> seen) {
      const Point &from = centres[seen[0].view], point = centre_of(model, row);
      const double times = times_farther(centres, from, point, nearer);
      if (times == 1) return;
      const Point p = from + times * (point - from);
      for (size_t axis = 0; axis < 3; ++axis) {
        model.means[3 * row + axis] = float(p[axis]);
        model.log_scales[3 * row + axis] += float(std::log(times));
      }
      moved.push_back(uint32_t(row));
    });
  });
}

}  // namespace splat
