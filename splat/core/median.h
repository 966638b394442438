// The median, in linear time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace splat {

// Of an even number of values the upper of the two in the middle; 0 of none. No value may be NaN. Cost: O(n).
template <class T>
T median(std::vector<T> values) {
  if (values.empty()) return T(0);
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace splat
