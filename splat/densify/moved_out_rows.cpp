#include "splat/densify/moved_out_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "splat/model/pixel.h"

namespace splat {
namespace {

using Point = std::array<double, 3>;

constexpr double kStep = 1.1;      // between the distances that are tried
constexpr double kFarthest = 1e3;  // times the distance that a row had

double distance(const Point& a, const Point& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

// Which view alone has the point in its frame.
std::optional<size_t> only_view(std::span<const View> views, const Point& point) {
  std::optional<size_t> only;
  for (size_t i = 0; i < views.size(); ++i) {
    if (!pixel_in_frame(views[i], point)) continue;
    if (only) return std::nullopt;
    only = i;
  }
  return only;
}

}  // namespace

std::vector<uint32_t> move_rows_out(Ellipsoids& model, std::span<const View> views, double nearer) {
  std::vector<Point> centres;
  for (const View& view : views) centres.push_back(view.cam_from_world.origin_in_source());
  std::vector<uint32_t> moved;
  for (size_t row = 0; row < model.size(); ++row) {
    float* mean = &model.means[3 * row];
    const Point point{mean[0], mean[1], mean[2]};
    const std::optional<size_t> view = only_view(views, point);
    if (!view) continue;
    const Point& from = centres[*view];
    const auto at = [&](double times) {
      Point p;
      for (size_t axis = 0; axis < 3; ++axis) p[axis] = from[axis] + times * (point[axis] - from[axis]);
      return p;
    };
    const auto is_before_another = [&](const Point& p) {
      const double from_view = distance(from, p);
      return std::any_of(centres.begin(), centres.end(),
                         [&](const Point& centre) { return nearer * distance(centre, p) < from_view; });
    };
    double times = 1;
    while (times < kFarthest && is_before_another(at(times))) times *= kStep;
    if (times == 1 || times >= kFarthest) continue;
    const Point p = at(times);
    for (size_t axis = 0; axis < 3; ++axis) {
      mean[axis] = float(p[axis]);
      model.log_scales[3 * row + axis] += float(std::log(times));
    }
    moved.push_back(uint32_t(row));
  }
  return moved;
}

}  // namespace splat
