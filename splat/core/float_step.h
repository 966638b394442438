// How coarse floats are far from 0: of coordinates in the millions they keep half a metre.
#pragma once

#include <cmath>
#include <limits>

namespace splat {

// Between a float of the size of `value`, which is not 0, and the next one.
inline double float_step(double value) {
  return std::ldexp(1.0, std::ilogb(value) - std::numeric_limits<float>::digits + 1);
}

// Whether floats as far from 0 as `farthest` show their steps in something of size `extent`: half a pixel of a picture
// of 1000 px. Not for an extent of 0.
inline bool floats_are_coarse(double farthest, double extent) {
  constexpr double kCoarse = 5e-4;
  return farthest > 0 && extent > 0 && float_step(farthest) > kCoarse * extent;
}

}  // namespace splat
