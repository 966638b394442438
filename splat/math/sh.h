// View-dependent colour: real spherical harmonics of degree 0..3 with the constants and signs of the reference
// implementation (the Condon-Shortley phase kept: degree 1 is -y, +z, -x), colour = max(0, 1/2 + sum_k basis_k sh_k).
// Ramamoorthi and Hanrahan 2001; Sloan, "Efficient spherical harmonic evaluation", JCGT 2013. The basis is a polynomial
// in the unit direction from the camera centre to the splat's mean.
#pragma once

#include "splat/math/vec.h"

namespace splat::math {

inline constexpr int kMaxCoefficients = 16;          // of SH degree 3
inline constexpr double kSh0 = 0.28209479177387814;  // sqrt(1/(4 pi)); INRIA's initial colour: sh0 = (rgb - 1/2) / kSh0
inline constexpr double kSh1 = 0.4886025119029199;   // sqrt(3/(4 pi))
// Single values: device code of nvcc cannot index host arrays. Named by the term they scale.
inline constexpr double kSh2Xy = 1.0925484305920792, kSh2Zz = 0.31539156525252005, kSh2Xx = 0.5462742152960396;
inline constexpr double kSh3Yxx = 0.5900435899266435, kSh3Xyz = 2.890611442640554, kSh3Yzz = 0.4570457994644658;
inline constexpr double kSh3Zzz = 0.3731763325901154, kSh3Zxx = 1.4453057213202769;

// Unit vector from `centre` to `mean`.
template <class F>
SPLAT_INLINE Vec3<F> view_direction(const Vec3<F>& mean, const Vec3<F>& centre) {
  const Vec3<F> d = mean - centre;
  return rsqrt(dot(d, d)) * d;
}
template <class F>
SPLAT_INLINE Vec3<F> view_direction_vjp(const Vec3<F>& mean, const Vec3<F>& centre, const Vec3<F>& v_direction) {
  const Vec3<F> d = mean - centre;
  const F inv_length = rsqrt(dot(d, d));
  const Vec3<F> direction = inv_length * d;
  return inv_length * (v_direction - dot(direction, v_direction) * direction);
}

// Fills basis[0 .. (degree+1)^2).
template <class F>
SPLAT_INLINE void sh_basis(int degree, const Vec3<F>& d, F* basis) {
  basis[0] = F(kSh0);
  if (degree < 1) return;
  basis[1] = F(-kSh1) * d.y;
  basis[2] = F(kSh1) * d.z;
  basis[3] = F(-kSh1) * d.x;
  if (degree < 2) return;
  const F xx = d.x * d.x, yy = d.y * d.y, zz = d.z * d.z, xy = d.x * d.y;
  basis[4] = F(kSh2Xy) * xy;
  basis[5] = F(-kSh2Xy) * d.y * d.z;
  basis[6] = F(kSh2Zz) * (zz + zz - xx - yy);
  basis[7] = F(-kSh2Xy) * d.x * d.z;
  basis[8] = F(kSh2Xx) * (xx - yy);
  if (degree < 3) return;
  const F ring = F(4) * zz - xx - yy;
  basis[9] = F(-kSh3Yxx) * d.y * (F(3) * xx - yy);
  basis[10] = F(kSh3Xyz) * xy * d.z;
  basis[11] = F(-kSh3Yzz) * d.y * ring;
  basis[12] = F(kSh3Zzz) * d.z * (zz + zz - F(3) * (xx + yy));
  basis[13] = F(-kSh3Yzz) * d.x * ring;
  basis[14] = F(kSh3Zxx) * d.z * (xx - yy);
  basis[15] = F(-kSh3Yxx) * d.x * (xx - F(3) * yy);
}
// The gradient by the (unnormalised) direction, from v_basis[0 .. (degree+1)^2).
template <class F>
SPLAT_INLINE Vec3<F> sh_basis_vjp(int degree, const Vec3<F>& d, const F* v_basis) {
  Vec3<F> v{F(0), F(0), F(0)};
  if (degree < 1) return v;
  v = {F(-kSh1) * v_basis[3], F(-kSh1) * v_basis[1], F(kSh1) * v_basis[2]};
  if (degree < 2) return v;
  const F b4 = F(kSh2Xy) * v_basis[4], b5 = F(-kSh2Xy) * v_basis[5], b6 = F(2 * kSh2Zz) * v_basis[6];
  const F b7 = F(-kSh2Xy) * v_basis[7], b8 = F(2 * kSh2Xx) * v_basis[8];
  v.x = v.x + b4 * d.y + b7 * d.z + (b8 - b6) * d.x;
  v.y = v.y + b4 * d.x + b5 * d.z - (b8 + b6) * d.y;
  v.z = v.z + b5 * d.y + b7 * d.x + (b6 + b6) * d.z;
  if (degree < 3) return v;
  const F xx = d.x * d.x, yy = d.y * d.y, zz = d.z * d.z, xy = d.x * d.y, xz = d.x * d.z, yz = d.y * d.z;
  const F b9 = F(-kSh3Yxx) * v_basis[9], b10 = F(kSh3Xyz) * v_basis[10], b11 = F(-kSh3Yzz) * v_basis[11];
  const F b12 = F(kSh3Zzz) * v_basis[12], b13 = F(-kSh3Yzz) * v_basis[13], b14 = F(kSh3Zxx) * v_basis[14];
  const F b15 = F(-kSh3Yxx) * v_basis[15];
  const F three_difference = F(3) * (xx - yy);
  v.x = v.x + F(6) * (b9 * xy - b12 * xz) + b10 * yz + F(2) * (b14 * xz - b11 * xy) +
        b13 * (F(4) * zz - F(3) * xx - yy) + b15 * three_difference;
  v.y = v.y + b9 * three_difference + b10 * xz + b11 * (F(4) * zz - xx - F(3) * yy) - F(6) * (b12 * yz + b15 * xy) -
        F(2) * (b13 * xy + b14 * yz);
  v.z = v.z + b10 * xy + F(8) * (b11 * yz + b13 * xz) + b12 * (F(6) * zz - F(3) * (xx + yy)) + b14 * (xx - yy);
  return v;
}

// max(0, x), but what is not finite stays so: the caller finds it with is_finite() and does not draw the splat.
template <class F>
SPLAT_INLINE F clamp_colour(F x) {
  return select(is_finite(x), max(x, F(0)), x);
}

template <class F>
SPLAT_INLINE Vec3<F> clamp_colour(const Vec3<F>& colour) {
  return {clamp_colour(colour.x), clamp_colour(colour.y), clamp_colour(colour.z)};
}

// Before the clamp. splat.sh(k) gives the coefficient's three channels; `coefficients` is (degree+1)^2. The loop's
// count is a constant: hipcc unrolls it before it knows `coefficients`, and would index registers at run time.
template <class F, class Splat>
SPLAT_INLINE Vec3<F> sh_colour_sum(int coefficients, const F* basis, const Splat& splat) {
  F r = F(0.5), g = F(0.5), b = F(0.5);
  SPLAT_UNROLL
  for (int k = 0; k < kMaxCoefficients; ++k) {
    if (k >= coefficients) continue;
    const Vec3<F> sh = splat.sh(k);
    r = fma(basis[k], sh.x, r);
    g = fma(basis[k], sh.y, g);
    b = fma(basis[k], sh.z, b);
  }
  return {r, g, b};
}
template <class F, class Splat>
SPLAT_INLINE Vec3<F> sh_colour(int coefficients, const F* basis, const Splat& splat) {
  return clamp_colour(sh_colour_sum(coefficients, basis, splat));
}
// Back through max(0, .): the gradient by the sum, from the clamped colour. Then v_sh[k][c] = basis[k] v_raw[c] and
// v_basis[k] = sum_c sh[k][c] v_raw[c].
template <class F>
SPLAT_INLINE Vec3<F> colour_clamp_vjp(const Vec3<F>& colour, const Vec3<F>& v_colour) {
  return {select(colour.x > F(0), v_colour.x, F(0)), select(colour.y > F(0), v_colour.y, F(0)),
          select(colour.z > F(0), v_colour.z, F(0))};
}

}  // namespace splat::math
