// Percentiles, in linear time. No value may be NaN.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace splat {

// What would stand at `place` if the values, which this turns around, were sorted.
template <class T>
T nth_value(std::vector<T>& values, size_t place) {
  const auto at = values.begin() + std::ptrdiff_t(place);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// share: [0,1]; between two values the lower. There must be a value; turns them around.
template <class T>
T percentile(std::vector<T>& values, double share) {
  return nth_value(values, size_t(share * double(values.size() - 1)));
}

// Upper median: of an even count the larger middle value; 0 without values.
template <class T>
T median(std::vector<T> values) {
  return values.empty() ? T(0) : nth_value(values, values.size() / 2);
}

}  // namespace splat
