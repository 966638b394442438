// What one splat contributes to one pixel: alpha = min(alpha_max, o exp(power)), nothing below kAlphaMin.
// Kerbl et al. 2023, section 4 and appendix C. d is the pixel's centre minus the splat's, in px; o is the activated
// opacity, times the compensation when antialiasing. Tile iteration, reductions and early-outs stay in the backends.
#pragma once

#include "splat/math/vec.h"

namespace splat::math {

// xx dx^2 + xy dx dy + yy dy^2 + constant.
template <class F>
SPLAT_INLINE F quadratic(const Vec2<F>& d, F xx, F xy, F yy, F constant) {
  return fma(d.x, fma(xx, d.x, xy * d.y), fma(yy * d.y, d.y, constant));
}

// -1/2 d^T K d.
template <class F>
SPLAT_INLINE F gaussian_power(const Vec2<F>& d, const Sym2<F>& conic) {
  return quadratic(d, F(-0.5) * conic.xx, -conic.xy, F(-0.5) * conic.yy, F(0));
}

// A splat of opacity o contributes where power >= this: o exp(power) >= kAlphaMin. Positive for o below kAlphaMin, NaN
// or +inf for o <= 0: such a splat contributes nowhere.
template <class F>
SPLAT_INLINE F threshold_power(F opacity) {
  return -log(opacity * F(1 / kAlphaMin));
}

// What a pixel needs of a splat: log2(o exp(power)) as a quadratic in d. In powers of two, because a weight is then one
// exp2, and the cut-off a constant.
template <class F>
struct WeightForm {
  F xx, xy, yy;
  F log2_opacity;  // the value at the centre
};
template <class F>
SPLAT_INLINE WeightForm<F> weight_form(const Sym2<F>& conic, F opacity) {
  return {F(-0.5 * kLog2E) * conic.xx, F(-kLog2E) * conic.xy, F(-0.5 * kLog2E) * conic.yy, F(kLog2E) * log(opacity)};
}
template <class F>
SPLAT_INLINE Sym2<F> conic_of(const WeightForm<F>& form) {
  return {F(-2 / kLog2E) * form.xx, F(-1 / kLog2E) * form.xy, F(-2 / kLog2E) * form.yy};
}

template <class F>
struct GaussianWeight {
  F alpha;            // 0 where the splat does not contribute, also where its opacity is not positive
  Mask<F> unclamped;  // alpha < alpha_max: where the gradient passes through alpha
};

template <class F>
SPLAT_INLINE GaussianWeight<F> gaussian_weight(const Vec2<F>& d, const WeightForm<F>& form,
                                               F alpha_max = F(kAlphaMax)) {
  const F log2_alpha = quadratic(d, form.xx, form.xy, form.yy, form.log2_opacity);
  const F raw = exp2_normal(log2_alpha);
  const F alpha = at_most(raw, alpha_max);
  return {zero_unless(log2_alpha >= F(kLog2AlphaMin), alpha), raw < alpha_max};
}

// The gradient of one splat, summed over pixels as moments of w = alpha dL/dalpha (pixels where alpha is clamped
// count 0), about the splat's mean, and of the blend weight alpha T times g = dL/dC.
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

// An offset d and its products.
template <class F>
struct OffsetProducts {
  F x, y, xx, xy, yy;
};
template <class F>
SPLAT_INLINE OffsetProducts<F> offset_products(const Vec2<F>& d) {
  return {d.x, d.y, d.x * d.x, d.x * d.y, d.y * d.y};
}

// Adds one pixel: w, and the blend weight times the pixel's gradient (blend.h gives both).
template <class F>
SPLAT_INLINE void add_moments(SplatMoments<F>& m, const OffsetProducts<F>& d, F w, F blend_weight,
                              const Vec3<F>& v_pixel) {
  m.w = m.w + w;
  m.wx = fma(w, d.x, m.wx);
  m.wy = fma(w, d.y, m.wy);
  m.wxx = fma(w, d.xx, m.wxx);
  m.wxy = fma(w, d.xy, m.wxy);
  m.wyy = fma(w, d.yy, m.wyy);
  m.v_colour = {fma(blend_weight, v_pixel.x, m.v_colour.x), fma(blend_weight, v_pixel.y, m.v_colour.y),
                fma(blend_weight, v_pixel.z, m.v_colour.z)};
}

// Moments of pixels of one column, at the same d.x: wx, wxx and wxy are d.x w, d.x^2 w and d.x wy of the sums.
template <class F>
struct ColumnMoments {
  F w, wy, wyy;
  Vec3<F> v_colour;
};
template <class F>
SPLAT_INLINE ColumnMoments<F> column_moments(F y, F w, F blend_weight, const Vec3<F>& v_pixel) {
  const F wy = w * y;
  return {w, wy, wy * y, blend_weight * v_pixel};
}
template <class F>
SPLAT_INLINE void add_moments(ColumnMoments<F>& m, F y, F w, F blend_weight, const Vec3<F>& v_pixel) {
  const F wy = w * y;
  m.w = m.w + w;
  m.wy = m.wy + wy;
  m.wyy = fma(wy, y, m.wyy);
  m.v_colour = {fma(blend_weight, v_pixel.x, m.v_colour.x), fma(blend_weight, v_pixel.y, m.v_colour.y),
                fma(blend_weight, v_pixel.z, m.v_colour.z)};
}

// The moments about a centre that lies at `shift` from the one they were taken about.
template <class F>
SPLAT_INLINE SplatMoments<F> shift_moments(const SplatMoments<F>& m, const Vec2<F>& shift) {
  const F wx = negated_fma(shift.x, m.w, m.wx), wy = negated_fma(shift.y, m.w, m.wy);
  return {m.w,
          wx,
          wy,
          negated_fma(shift.x, m.wx + wx, m.wxx),
          negated_fma(shift.x, wy, negated_fma(shift.y, m.wx, m.wxy)),
          negated_fma(shift.y, m.wy + wy, m.wyy),
          m.v_colour};
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
