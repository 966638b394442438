// How splats are kept from becoming smaller than a pixel: what is added to their variances on the screen, and whether
// their opacity makes up for it. Splats are trained for one such filter, and are to be drawn with it.
#pragma once

#include "splat/math/constants.h"

namespace splat {

inline constexpr float kUsualLowPass = float(math::kLowPass);  // px^2: INRIA's code, gsplat
inline constexpr float kMostLowPass = 100;                     // px^2

struct ScreenFilter {
  bool antialias = false;
  float low_pass = kUsualLowPass;
  friend bool operator==(const ScreenFilter&, const ScreenFilter&) = default;
};

}  // namespace splat
