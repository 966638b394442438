// How far apart in depth what a pixel shows lies: D = sum over i < j of w_i w_j (m_i - m_j)^2, with the weights w of
// blending and m = q . ray, the inverse depth at which the pixel's ray meets a splat's plane (plane.h). Huang et al.,
// "2D Gaussian Splatting", SIGGRAPH 2024, section 4.1, squared as in their code, whose normalized depths are inverse
// depths but for two constants. With W the sum of the weights and S that of w (m - mean)^2, D = W S.
#pragma once

#include "splat/math/vec.h"

namespace splat::math {

// Sums of a pixel, blended front to back. About 0 they would cancel in float, so they are taken about the inverse
// depth of the first splat that is seen. The sum of w (m - origin) follows from the blended q.
template <class F>
struct DepthSquares {
  F origin, sum;  // 0 at the start
};
// transmittance: before the splat was blended with this weight.
template <class F>
SPLAT_INLINE void add_depth_square(DepthSquares<F>& squares, F transmittance, F weight, F inverse_depth) {
  squares.origin = select(transmittance >= F(1), inverse_depth, squares.origin);
  const F offset = inverse_depth - squares.origin;
  squares.sum = fma(weight * offset, offset, squares.sum);
}

// The result for a pixel: D, and what its adjoint needs; weight: W, mean: the mean of m.
template <class F>
struct Distortion {
  F value, by_weight, by_offset;
};
template <class F>
SPLAT_INLINE Distortion<F> distortion(const DepthSquares<F>& squares, F weight, F mean) {
  const F offset = mean - squares.origin;
  const F spread = max(negated_fma(weight * offset, offset, squares.sum), F(0));  // S
  return {weight * spread, spread, weight};
}
// Gradient of the loss that counts D with weight v.
template <class F>
SPLAT_INLINE Distortion<F> scaled(const Distortion<F>& d, F v) {
  return {v * d.value, v * d.by_weight, v * d.by_offset};
}

// The adjoint for one splat, with d scaled() by the gradient by D. D = sum of w_i by_w_i / 2, and w_i m_i itself gets
// w_i by_m_i.
template <class F>
struct DistortionStep {
  F by_w, by_m;
};
template <class F>
SPLAT_INLINE DistortionStep<F> distortion_vjp(const Distortion<F>& d, F mean, F inverse_depth) {
  const F offset = inverse_depth - mean, pull = d.by_offset * offset;
  return {fma(pull, offset, d.by_weight), pull + pull};
}

}  // namespace splat::math
