// How spherical-harmonic coefficients change when the scene is turned: colour'(d) = colour(R^T d), which each band does
// by itself, c'_m = sum_n D_mn c_n with D_mn = the integral over the sphere of Y_m(d) Y_n(R^T d). The integrand is a
// polynomial of degree 6 at most, so Lebedev's rule of 26 points (degree 7; Lebedev 1976) gives it exactly: no
// recursion with sign conventions of its own, the basis of sh.h is the only source. A few thousand operations a
// rotation.
#pragma once

#include "splat/math/sh.h"

namespace splat::math {

template <class F>
struct ShRotation {
  F band1[3][3], band2[5][5], band3[7][7];  // [to][from], orders -l..l
};

// The rule's points (x, y, z)/length and weights; of each pair of opposite points, which count the same, one.
inline constexpr int kShRulePoints = 13;
struct ShRulePoint {
  double x, y, z;
  double weight;  // of the whole sphere's 4 pi, for both points of the pair
};
SPLAT_INLINE ShRulePoint sh_rule_point(int i) {
  constexpr double kFace = 2.0 / 21, kEdge = 8.0 / 105, kCorner = 9.0 / 140;
  constexpr double e = 0.70710678118654752, c = 0.57735026918962576;
  constexpr ShRulePoint kPoints[kShRulePoints] = {
      {1, 0, 0, kFace},    {0, 1, 0, kFace},    {0, 0, 1, kFace},     //
      {0, e, e, kEdge},    {0, e, -e, kEdge},   {e, 0, e, kEdge},     //
      {e, 0, -e, kEdge},   {e, e, 0, kEdge},    {e, -e, 0, kEdge},    //
      {c, c, c, kCorner},  {c, c, -c, kCorner}, {c, -c, c, kCorner},  //
      {-c, c, c, kCorner},
  };
  return kPoints[i];
}

template <int kOrders, class F>
SPLAT_INLINE void add_outer_product(F scale, const F* to, const F* from, F (&matrix)[kOrders][kOrders]) {
  for (int m = 0; m < kOrders; ++m)
    for (int n = 0; n < kOrders; ++n) matrix[m][n] = matrix[m][n] + scale * to[m] * from[n];
}

// `rotation` turns the scene: new_world_from_old. Compute in double: the sums lose a digit.
template <class F>
SPLAT_INLINE ShRotation<F> sh_rotation(const Mat3<F>& rotation) {
  constexpr double kSphere = 12.566370614359172;  // 4 pi
  ShRotation<F> result{};
  for (int i = 0; i < kShRulePoints; ++i) {
    const ShRulePoint point = sh_rule_point(i);
    const Vec3<F> to{F(point.x), F(point.y), F(point.z)};
    F basis_to[16], basis_from[16];
    sh_basis(3, to, basis_to);
    sh_basis(3, transposed_times(rotation, to), basis_from);
    const F scale = F(kSphere * point.weight);
    add_outer_product(scale, basis_to + 1, basis_from + 1, result.band1);
    add_outer_product(scale, basis_to + 4, basis_from + 4, result.band2);
    add_outer_product(scale, basis_to + 9, basis_from + 9, result.band3);
  }
  return result;
}

template <int kOrders, class F>
SPLAT_INLINE void rotate_sh_band(const F (&matrix)[kOrders][kOrders], F* band) {  // [kOrders,3]
  F old[kOrders * 3];
  for (int i = 0; i < kOrders * 3; ++i) old[i] = band[i];
  for (int m = 0; m < kOrders; ++m)
    for (int channel = 0; channel < 3; ++channel) {
      F sum = F(0);
      for (int n = 0; n < kOrders; ++n) sum = fma(matrix[m][n], old[3 * n + channel], sum);
      band[3 * m + channel] = sum;
    }
}

// The coefficients of one splat, in place.
template <class F>
SPLAT_INLINE void rotate_sh(const ShRotation<F>& rotation, int degree, F* sh) {  // [K,3]
  if (degree >= 1) rotate_sh_band(rotation.band1, sh + 3);
  if (degree >= 2) rotate_sh_band(rotation.band2, sh + 12);
  if (degree >= 3) rotate_sh_band(rotation.band3, sh + 27);
}

}  // namespace splat::math
