#include "splat/model/near_scale.h"

#include <algorithm>
#include <cmath>

#include "splat/math/constants.h"
#include "splat/model/robust_extent.h"

namespace splat {

double near_scale(const Gaussians& model) {
  const auto extent = robust_extent(model);
  if (!extent) return 1;
  double radius = 0;
  for (size_t c = 0; c < 3; ++c) radius = std::max(radius, (extent->high[c] - extent->low[c]) / 2);
  return near_scale(radius);
}

double near_scale(double radius) {
  constexpr double kSmall = 0.1;
  constexpr int kMost = 100;
  if (!(radius > 0) || radius >= kSmall) return 1;
  return std::ldexp(1.0, std::min(kMost, int(std::ceil(-std::log2(radius)))));
}

double near_plane(double radius) { return math::kNearPlane / near_scale(radius); }

Gaussians enlarged(Gaussians model, double times) {
  if (times == 1) return model;
  const float more = float(std::log(times));
  for (float& x : model.means) x *= float(times);
  for (float& x : model.log_scales) x += more;
  return model;
}

View enlarged(View view, double times) {
  for (double& x : view.cam_from_world.translation) x *= times;
  return view;
}

}  // namespace splat
