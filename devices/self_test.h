// Does a backend draw, on this very device and with this very driver? A picture of a few splats is compared with the
// CPU's. Milliseconds.
#pragma once

#include <string>

#include "splat/backend/backend.h"

namespace splat {

struct SelfTest {
  bool passed = false;
  double largest_difference = 0;  // of a channel value, [0,1]
  std::string sentence;           // what was found
};

// Between the pictures that both draw, of side x side px; NaN where one has one. Replaces both models. Throws
// DeviceError.
double largest_difference(Backend& drawn, Backend& expected, int side);
inline constexpr double kLargestDifference = 0.5 / 255;  // no 8-bit value differs by more than rounding

// Replaces the model of `backend`. Device errors are returned, not thrown.
SelfTest test_backend(Backend& backend);

}  // namespace splat
