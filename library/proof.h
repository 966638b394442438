// The proof that a device draws: a picture of 32x32 px compared with the reference's. A millisecond.
#pragma once

#include <string>

#include "splat/backend/backend.h"

namespace library {

struct Proof {
  bool holds = false;
  std::string sentence;  // without an end mark
};

// Replaces the model of `backend`. Throws DeviceError.
Proof prove(splat::Backend& backend);

}  // namespace library
