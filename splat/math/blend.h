// Front-to-back alpha blending of one pixel, C = sum_i c_i alpha_i T_i + T_final background, and its adjoint as a
// replay in the same order. Kerbl et al. 2023, equation 3; Max, "Optical models for direct volume rendering", 1995.
// Stop rule of the reference implementation: the splat that would take T below kTransmittanceStop is not blended, and
// the pixel is finished; its final T stays the value before. State: one number T, 1 at the start. A finished pixel has
// T < 0; |T| is its final transmittance (final_transmittance()).
#pragma once

#include "splat/math/vec.h"

namespace splat::math {

// Blends one splat: returns its weight alpha T (0 when it is not blended) and advances T. alpha = 0 changes nothing.
template <class F>
SPLAT_INLINE F blend_step(F& transmittance, F alpha) {
  const F weight = alpha * transmittance;
  const F next = transmittance - weight;
  const Mask<F> goes_on =
      next >= F(kTransmittanceStop);  // never of a finished pixel: its T is negative and so is `next`
  transmittance = select(goes_on, next, negative_abs(transmittance));
  return zero_unless(goes_on, weight);
}

template <class F>
SPLAT_INLINE Mask<F> is_live(F transmittance) {
  return transmittance > F(0);
}
template <class F>
SPLAT_INLINE F final_transmittance(F transmittance) {
  return abs(transmittance);
}

// One pixel of the replay.
template <class F>
struct BlendGradient {
  F weight;  // alpha_i T_i as in the forward pass: v_colour_i += weight g
  F w;       // alpha_i dL/dalpha_i, 0 where alpha is clamped or the splat is not blended: feeds add_moments()
};

// h = c_i . g with g = dL/dC of the pixel. `behind` starts as g . C (background included) and holds what lies behind
// splat i after the call: behind -= alpha_i T_i h, dL/dalpha_i = T_i h - behind / (1 - alpha_i).
template <class F>
SPLAT_INLINE BlendGradient<F> blend_step_vjp(F& transmittance, F& behind, F alpha, Mask<F> unclamped, F h) {
  const F weight = blend_step(transmittance, alpha);
  const F front = weight * h;
  behind = behind - front;
  const F w = front - alpha * behind * rcp(F(1) - alpha);
  const Mask<F> blended = weight > F(0);
  return {weight, zero_unless(blended & unclamped, w)};
}

}  // namespace splat::math
