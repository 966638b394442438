// Front-to-back alpha blending of one pixel, C = sum_i c_i alpha_i T_i + T_final background, and its adjoint as a
// replay in the same order. Kerbl et al. 2023, equation 3; Max, "Optical models for direct volume rendering", 1995.
// Stop rule of the reference implementation: the splat that would take T below `stop` is not blended, and
// the pixel is finished; its final T stays the value before. State: one number T, 1 at the start. A finished pixel has
// T < 0; |T| is its final transmittance (final_transmittance()).
#pragma once

#include "splat/math/vec.h"

namespace splat::math {

template <class F>
struct BlendStep {
  F weight;         // alpha T, 0 when the splat is not blended
  Mask<F> blended;  // false also for every splat after the stop
};

// Blends one splat and advances T. alpha = 0 changes nothing.
template <class F>
SPLAT_INLINE BlendStep<F> blend_step_and_mask(F& transmittance, F alpha, F stop = F(kTransmittanceStop)) {
  const F weight = alpha * transmittance;
  const F next = transmittance - weight;
  const Mask<F> goes_on = next >= stop;  // never of a finished pixel: its T is negative and so is `next`
  transmittance = select(goes_on, next, negative_abs(transmittance));
  return {zero_unless(goes_on, weight), goes_on};
}
// The weight alone.
template <class F>
SPLAT_INLINE F blend_step(F& transmittance, F alpha, F stop = F(kTransmittanceStop)) {
  return blend_step_and_mask(transmittance, alpha, stop).weight;
}

template <class F>
SPLAT_INLINE Mask<F> is_live(F transmittance) {
  return transmittance > F(0);
}
template <class F>
SPLAT_INLINE F final_transmittance(F transmittance) {
  return abs(transmittance);
}

// Is the half of the light behind what was blended so far? For the depth of the surface that a pixel shows.
template <class F>
SPLAT_INLINE Mask<F> passes_median(F transmittance) {
  return abs(transmittance) <= F(0.5);
}

// One pixel of the replay.
template <class F>
struct BlendGradient {
  F weight;  // alpha_i T_i as in the forward pass: v_colour_i += weight g
  F w;       // alpha_i dL/dalpha_i, 0 where alpha is clamped or the splat is not blended: feeds add_moments()
};

// alpha / (1 - alpha): the share of blend_step_vjp() that does not depend on the pixel's other splats.
template <class F>
SPLAT_INLINE F alpha_odds(F alpha) {
  return quotient(alpha, F(1) - alpha);
}

// h = c_i . g with g = dL/dC of the pixel. `behind` starts as g . C (background included) and holds what lies behind
// splat i after the call: behind -= alpha_i T_i h, alpha_i dL/dalpha_i = alpha_i T_i h - odds_i behind, with odds_i of
// alpha_odds(). A gradient by the final transmittance goes in as that of one more channel of the background, of 1.
template <class F>
SPLAT_INLINE BlendGradient<F> blend_step_vjp(F& transmittance, F& behind, F alpha, F odds, Mask<F> unclamped, F h,
                                             F stop = F(kTransmittanceStop)) {
  const BlendStep<F> step = blend_step_and_mask(transmittance, alpha, stop);
  const F front = step.weight * h;
  behind = behind - front;
  return {step.weight, zero_unless(step.blended & unclamped, negated_fma(odds, behind, front))};
}

}  // namespace splat::math
