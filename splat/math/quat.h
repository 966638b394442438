// Rotation matrices from quaternions of any length: R(q) = I + 2/|q|^2 M(q), with M quadratic in q; of raw ones, which
// programs keep at length 1 or do without, I + 2 M(q). Shoemake, "Animating rotation with quaternion curves", SIGGRAPH
// 1985. The zero quaternion means no rotation and gets a zero gradient; NaN stays NaN.
#pragma once

#include "splat/math/vec.h"

namespace splat::math {

template <class F>
struct Quat {
  F w, x, y, z;
};

// 2/|q|^2, or 0 for a quaternion too short to have a direction.
template <class F>
SPLAT_INLINE F quat_scale(const Quat<F>& q) {
  const F norm2 = fma(q.z, q.z, fma(q.y, q.y, fma(q.x, q.x, q.w * q.w)));
  return select(norm2 > F(kQuatNormMin), F(2) * rcp(norm2), F(0));
}

// I + s M(q).
template <class F>
SPLAT_INLINE Mat3<F> scaled_rotation(const Quat<F>& q, F s) {
  const F wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
  const F xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
  const F xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
  return {{{F(1) - (yy + zz), xy - wz, xz + wy},  //
           {xy + wz, F(1) - (xx + zz), yz - wx},
           {xz - wy, yz + wx, F(1) - (xx + yy)}}};
}

template <class F>
SPLAT_INLINE Mat3<F> rotation_from_quat(const Quat<F>& q) {
  return scaled_rotation(q, quat_scale(q));
}
template <class F>
SPLAT_INLINE Mat3<F> rotation_from_raw_quat(const Quat<F>& q) {
  return scaled_rotation(q, F(2));
}

// (dM/dq)^T v_R
template <class F>
SPLAT_INLINE Quat<F> quat_form_vjp(const Quat<F>& q, const Mat3<F>& v_rotation) {
  const auto& v = v_rotation.m;
  const F anti_x = v[2][1] - v[1][2], anti_y = v[0][2] - v[2][0], anti_z = v[1][0] - v[0][1];
  const F sym_xy = v[0][1] + v[1][0], sym_xz = v[0][2] + v[2][0], sym_yz = v[1][2] + v[2][1];
  return {q.x * anti_x + q.y * anti_y + q.z * anti_z,
          q.w * anti_x + q.y * sym_xy + q.z * sym_xz - F(2) * q.x * (v[1][1] + v[2][2]),
          q.w * anti_y + q.x * sym_xy + q.z * sym_yz - F(2) * q.y * (v[0][0] + v[2][2]),
          q.w * anti_z + q.x * sym_xz + q.y * sym_yz - F(2) * q.z * (v[0][0] + v[1][1])};
}

// v_q = s (dM/dq)^T v_R - s <v_R, R - I> q; the second term is the normalisation's and makes v_q orthogonal to q.
template <class F>
SPLAT_INLINE Quat<F> rotation_from_quat_vjp(const Quat<F>& q, const Mat3<F>& v_rotation) {
  const F s = quat_scale(q);
  const Quat<F> v = quat_form_vjp(q, v_rotation);
  // M is quadratic: q.dM/dq = 2M (Euler)
  const F along = F(0.5) * s * (v.w * q.w + v.x * q.x + v.y * q.y + v.z * q.z);
  return {s * (v.w - along * q.w), s * (v.x - along * q.x), s * (v.y - along * q.y), s * (v.z - along * q.z)};
}
template <class F>
SPLAT_INLINE Quat<F> rotation_from_raw_quat_vjp(const Quat<F>& q, const Mat3<F>& v_rotation) {
  const Quat<F> v = quat_form_vjp(q, v_rotation);
  return {F(2) * v.w, F(2) * v.x, F(2) * v.y, F(2) * v.z};
}

}  // namespace splat::math
