// Small fixed-size vectors and matrices over a number type F (number.h): only what projection and its adjoint need.
// The gradient of a symmetric matrix is the gradient by its stored entries: v.xy counts both off-diagonal places.
#pragma once

#include "splat/math/number.h"

namespace splat::math {

template <class F>
struct Vec2 {
  F x, y;
};

template <class F>
struct Vec3 {
  F x, y, z;
};

template <class F>
struct Mat3 {
  F m[3][3];  // row-major
};

template <class F>
struct Sym2 {
  F xx, xy, yy;
};

template <class F>
struct Sym3 {
  F xx, xy, xz, yy, yz, zz;
};

template <class F>
SPLAT_INLINE Vec3<F> operator+(const Vec3<F>& a, const Vec3<F>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class F>
SPLAT_INLINE Vec3<F> operator-(const Vec3<F>& a, const Vec3<F>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class F>
SPLAT_INLINE Vec3<F> operator*(F s, const Vec3<F>& a) {
  return {s * a.x, s * a.y, s * a.z};
}

template <class F>
SPLAT_INLINE F dot(const Vec3<F>& a, const Vec3<F>& b) {
  return fma(a.z, b.z, fma(a.y, b.y, a.x * b.x));
}
template <class F>
SPLAT_INLINE Vec3<F> cross(const Vec3<F>& a, const Vec3<F>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class F>
SPLAT_INLINE Vec3<F> row(const Mat3<F>& a, int r) {
  return {a.m[r][0], a.m[r][1], a.m[r][2]};
}
template <class F>
SPLAT_INLINE Vec3<F> column(const Mat3<F>& a, int c) {
  return {a.m[0][c], a.m[1][c], a.m[2][c]};
}
template <class F>
SPLAT_INLINE Vec3<F> operator*(const Mat3<F>& a, const Vec3<F>& x) {
  return {dot(row(a, 0), x), dot(row(a, 1), x), dot(row(a, 2), x)};
}
// A^T x
template <class F>
SPLAT_INLINE Vec3<F> transposed_times(const Mat3<F>& a, const Vec3<F>& x) {
  return {dot(column(a, 0), x), dot(column(a, 1), x), dot(column(a, 2), x)};
}

template <class F>
SPLAT_INLINE Vec3<F> select(Mask<F> mask, const Vec3<F>& a, const Vec3<F>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}

// The larger eigenvalue of a symmetric 2x2 matrix.
template <class F>
SPLAT_INLINE F largest_eigenvalue(const Sym2<F>& a) {
  const F half_difference = F(0.5) * (a.xx - a.yy);
  return F(0.5) * (a.xx + a.yy) + sqrt(fma(half_difference, half_difference, a.xy * a.xy));
}

}  // namespace splat::math
