// The maps from stored to used parameters: opacity = sigmoid(logit_opacity), scale = exp(log_scale).
// Kerbl et al. 2023, section 5.1.
#pragma once

#include "splat/math/number.h"

namespace splat::math {

template <class F>
SPLAT_INLINE F sigmoid(F x) {
  return rcp(F(1) + exp(-x));
}
// From the output y = sigmoid(x): v_x.
template <class F>
SPLAT_INLINE F sigmoid_vjp(F y, F v_y) {
  return v_y * y * (F(1) - y);
}

template <class F>
SPLAT_INLINE F logit(F y) {
  return log(y) - log(F(1) - y);
}

// The logit of max(sigmoid(x) - by, least).
template <class F>
SPLAT_INLINE F lowered_logit(F x, F by, F least) {
  return logit(max(sigmoid(x) - by, least));
}

}  // namespace splat::math
