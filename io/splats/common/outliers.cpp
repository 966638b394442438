#include "io/splats/common/outliers.h"

#include <cmath>

#include "splat/core/percentile.h"

namespace io {

SaneRange sane_range(std::vector<float>& values, double room, double width) {
  constexpr double kBeyond = 0.05;  // of the values, at either end
  std::erase_if(values, [](float value) { return !std::isfinite(value); });
  if (values.empty()) return {};
  const size_t beyond = std::max(size_t(kBeyond * double(values.size())), std::min<size_t>(2, values.size() / 4));
  const double low = splat::nth_value(values, beyond), high = splat::nth_value(values, values.size() - 1 - beyond);
  const double around = room * std::max(width, high - low);
  constexpr double kLargest = std::numeric_limits<float>::max();
  return {float(std::max(low - around, -kLargest)), float(std::min(high + around, kLargest))};
}

}  // namespace io
