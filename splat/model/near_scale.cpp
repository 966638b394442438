#include "splat/model/near_scale.h"

#include <algorithm>
#include <cmath>

#include "splat/model/robust_extent.h"

namespace splat {

double near_scale(const Gaussians& model) {
  constexpr double kSmall = 0.1;
  constexpr int kMost = 100;
  const auto extent = robust_extent(model);
  if (!extent) return 1;
  double radius = 0;
  for (size_t c = 0; c < 3; ++c) radius = std::max(radius, (extent->high[c] - extent->low[c]) / 2);
  if (!(radius > 0) || radius >= kSmall) return 1;
  return std::ldexp(1.0, std::min(kMost, int(std::ceil(-std::log2(radius)))));
}

}  // namespace splat
