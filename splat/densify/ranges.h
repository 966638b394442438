// Checks of settings: which range a number must lie in, and the sentence that says so.
#pragma once

#include <initializer_list>
#include <sstream>

#include "splat/core/result.h"

namespace splat {

inline constexpr int kMostIterations = 10'000'000;
inline constexpr float kMostOpaque = 0.9999f, kLeastOpaque = 1e-6f, kLargest = 1e9f;

template <class T>
struct Range {
  const char* name;
  T value, low, high;
};

// An error about the first value outside its range; NaN is outside of every one.
template <class T>
Status check_ranges(std::initializer_list<Range<T>> ranges) {
  for (const Range<T>& r : ranges)
    if (!(r.value >= r.low && r.value <= r.high)) {
      std::ostringstream text;
      text << r.name << " is " << r.value << " but must lie between " << r.low << " and " << r.high;
      return Error{text.str()};
    }
  return {};
}

}  // namespace splat
