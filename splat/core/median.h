// The median, in linear time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace splat {

// Upper median: of an even count the larger middle value; 0 without values. No value may be NaN. Cost: O(n).
template <class T>
T median(std::vector<T> values) {
  if (values.empty()) return T(0);
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace splat
