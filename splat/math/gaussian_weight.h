// What one splat contributes to one pixel: alpha = min(kAlphaMax, o exp(power)), nothing below kAlphaMin.
// Kerbl et al. 2023, section 4 and appendix C. d is the pixel's centre minus the splat's, in px; o is the activated
// opacity, times the compensation when antialiasing. Tile iteration, reductions and early-outs stay in the backends.
#pragma once

#include "splat/math/vec.h"

namespace splat::math {

// The quadratic form -1/2 d^T K d: xx dx^2 + xy dx dy + yy dy^2.
template <class F>
struct PowerForm {
  F xx, xy, yy;
};
template <class F>
SPLAT_INLINE PowerForm<F> power_form(const Sym2<F>& conic) {
  return {F(-0.5) * conic.xx, -conic.xy, F(-0.5) * conic.yy};
}
template <class F>
SPLAT_INLINE Sym2<F> conic_of(const PowerForm<F>& form) {
  return {F(-2) * form.xx, -form.xy, F(-2) * form.yy};
}
template <class F>
SPLAT_INLINE F gaussian_power(const Vec2<F>& d, const PowerForm<F>& form) {
  return fma(d.x, fma(form.xx, d.x, form.xy * d.y), form.yy * d.y * d.y);
}
template <class F>
SPLAT_INLINE F gaussian_power(const Vec2<F>& d, const Sym2<F>& conic) {
  return gaussian_power(d, power_form(conic));
}

// A splat of opacity o contributes where power >= this: o exp(power) >= kAlphaMin. Positive for o below kAlphaMin, NaN
// or +inf for o <= 0: such a splat contributes nowhere.
template <class F>
SPLAT_INLINE F threshold_power(F opacity) {
  return -log(opacity * F(1 / kAlphaMin));
}

template <class F>
struct GaussianWeight {
  F alpha;            // 0 where the splat does not contribute
  Mask<F> unclamped;  // alpha < kAlphaMax: where the gradient passes through alpha
};

template <class F>
SPLAT_INLINE GaussianWeight<F> gaussian_weight(const Vec2<F>& d, const PowerForm<F>& form, F opacity, F threshold) {
  const F power = gaussian_power(d, form);
  const F raw = opacity * exp(power);
  const F alpha = min(raw, F(kAlphaMax));
  return {zero_unless(power >= threshold, alpha), raw < F(kAlphaMax)};
}
template <class F>
SPLAT_INLINE GaussianWeight<F> gaussian_weight(const Vec2<F>& d, const Sym2<F>& conic, F opacity, F threshold) {
  return gaussian_weight(d, power_form(conic), opacity, threshold);
}

// The gradient of one splat, summed over pixels as moments of w = alpha dL/dalpha (pixels where alpha is clamped
// count 0) and of the blend weight alpha T times g = dL/dC.
template <class F>
struct SplatMoments {
  F w, wx, wy, wxx, wxy, wyy;
  Vec3<F> v_colour;  // by the clamped colour
};

template <class F>
SPLAT_INLINE SplatMoments<F> zero_moments() {
  const F zero(0);
  return {zero, zero, zero, zero, zero, zero, {zero, zero, zero}};
}

// Adds one pixel: w, and the blend weight times the pixel's gradient (blend.h gives both).
template <class F>
SPLAT_INLINE void add_moments(SplatMoments<F>& m, const Vec2<F>& d, F w, F blend_weight, const Vec3<F>& v_pixel) {
  const F wx = w * d.x, wy = w * d.y;
  m.w = m.w + w;
  m.wx = m.wx + wx;
  m.wy = m.wy + wy;
  m.wxx = fma(wx, d.x, m.wxx);
  m.wxy = fma(wx, d.y, m.wxy);
  m.wyy = fma(wy, d.y, m.wyy);
  m.v_colour = {fma(blend_weight, v_pixel.x, m.v_colour.x), fma(blend_weight, v_pixel.y, m.v_colour.y),
                fma(blend_weight, v_pixel.z, m.v_colour.z)};
}

template <class F>
struct SplatGradient {
  Vec2<F> v_mean_px;
  Sym2<F> v_conic;  // by its stored entries
  F v_opacity;      // by the o of gaussian_weight
  Vec3<F> v_colour;
};

// With dpower/dmean = K d and dpower/dK = -1/2 d d^T.
template <class F>
SPLAT_INLINE SplatGradient<F> moments_to_gradients(const SplatMoments<F>& m, const Sym2<F>& conic, F opacity) {
  return {{fma(conic.xx, m.wx, conic.xy * m.wy), fma(conic.xy, m.wx, conic.yy * m.wy)},
          {F(-0.5) * m.wxx, -m.wxy, F(-0.5) * m.wyy},
          select(opacity > F(0), m.w * rcp(opacity), F(0)),
          m.v_colour};
}

}  // namespace splat::math
