#include "splat/densify/unverified_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "splat/model/pixel.h"

namespace splat {
namespace {

using Point = std::array<double, 3>;

double distance(const Point& a, const Point& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

}  // namespace

std::vector<uint8_t> unverified_rows(const Gaussians& model, std::span<const View> views, double nearer) {
  std::vector<Point> centres;
  for (const View& view : views) centres.push_back(view.cam_from_world.origin_in_source());
  std::vector<uint8_t> unverified(model.size());
  if (views.empty()) return unverified;
  for (size_t row = 0; row < model.size(); ++row) {
    const float* mean = &model.means[3 * row];
    const Point point{mean[0], mean[1], mean[2]};
    size_t seen_by = 0;
    double from = std::numeric_limits<double>::infinity();
    for (size_t i = 0; i < views.size() && seen_by < 2; ++i) {
      const auto pixel = pixel_of(views[i], point);
      if (!pixel || !is_in_frame(views[i].camera, *pixel)) continue;
      ++seen_by;
      from = distance(centres[i], point);
    }
    if (seen_by >= 2) continue;
    unverified[row] = seen_by == 0 || std::any_of(centres.begin(), centres.end(), [&](const Point& centre) {
                        return nearer * distance(centre, point) < from;
                      });
  }
  return unverified;
}

}  // namespace splat
