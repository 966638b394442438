// The absolute difference, the other part of the loss beside ssim.h.
#pragma once

#include "splat/math/number.h"

namespace splat::math {

// Derivative of |difference|: the sign, and 0 at 0.
template <class F>
SPLAT_INLINE F l1_vjp(F difference, F v) {
  return zero_unless(difference > F(0), v) - zero_unless(difference < F(0), v);
}

}  // namespace splat::math
