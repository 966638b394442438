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

// Replaces the model of `backend`. Device errors are returned, not thrown.
SelfTest test_backend(Backend& backend);

}  // namespace splat
