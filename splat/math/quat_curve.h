// Curves through rotations. Quaternions of length 1, wxyz; rotation vectors are half angles times axes, so that
// exp(log(q)) = q. Shoemake, "Quaternion calculus and fast animation", 1987. Host only.
#pragma once

#include <algorithm>
#include <cmath>

#include "splat/math/quat.h"

namespace splat::math {

inline Quat<double> operator*(const Quat<double>& a, const Quat<double>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline double dot(const Quat<double>& a, const Quat<double>& b) {
  return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Quat<double> conjugate(const Quat<double>& q) { return {q.w, -q.x, -q.y, -q.z}; }
inline Quat<double> normalised(const Quat<double>& q) {
  const double length = std::sqrt(dot(q, q));
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}

inline Vec3<double> quat_log(const Quat<double>& q) {
  const double sine = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  const double scale = sine < 1e-12 ? 1 : std::atan2(sine, q.w) / sine;
  return {scale * q.x, scale * q.y, scale * q.z};
}
inline Quat<double> quat_exp(const Vec3<double>& v) {
  const double angle = std::sqrt(dot(v, v)), scale = angle < 1e-12 ? 1 : std::sin(angle) / angle;
  return {std::cos(angle), scale * v.x, scale * v.y, scale * v.z};
}

// From a (t = 0) to b (t = 1), at constant speed, along the arc that their signs choose.
inline Quat<double> slerp(const Quat<double>& a, const Quat<double>& b, double t) {
  return a * quat_exp(t * quat_log(conjugate(a) * b));
}
// The same with a tangent at either end, by the inner points a_out and b_in.
inline Quat<double> squad(const Quat<double>& a, const Quat<double>& a_out, const Quat<double>& b_in,
                          const Quat<double>& b, double t) {
  return normalised(slerp(slerp(a, b, t), slerp(a_out, b_in, t), 2 * t * (1 - t)));
}
// The inner points for which the curve turns by `turn`, from where it is, per unit of t at that end.
inline Quat<double> squad_out(const Quat<double>& a, const Quat<double>& b, const Vec3<double>& turn) {
  return a * quat_exp(0.5 * (turn - quat_log(conjugate(a) * b)));
}
inline Quat<double> squad_in(const Quat<double>& a, const Quat<double>& b, const Vec3<double>& turn) {
  return b * quat_exp(0.5 * (quat_log(conjugate(a) * b) - turn));
}

}  // namespace splat::math
