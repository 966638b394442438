#include "splat/densify/near_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "knn/knn.h"
#include "splat/core/percentile.h"

namespace splat {

std::vector<float> growth_by_distance(const Ellipsoids& model, std::span<const View> views, double share) {
  std::vector<float> factor(model.size(), 1.0f);
  if (!(share > 0) || views.empty() || model.size() == 0) return factor;
  std::vector<float> places;
  for (const View& view : views)
    for (const double x : view.cam_from_world.origin_in_source()) places.push_back(float(x));
  const knn::PointIndex cameras(std::move(places));
  std::vector<double> distance(model.size(), std::numeric_limits<double>::infinity());
  for (size_t row = 0; row < model.size(); ++row) {
    const float* mean = &model.means[3 * row];
    std::array<uint32_t, 1> nearest;
    if (!std::isfinite(mean[0] + mean[1] + mean[2]) || cameras.nearest(mean, nearest) == 0) continue;
    const float* camera = cameras.point(nearest[0]);
    distance[row] = std::hypot(double(mean[0]) - camera[0], double(mean[1]) - camera[1], double(mean[2]) - camera[2]);
  }
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
