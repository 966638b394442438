// 3D covariance of a splat, Sigma = R S S^T R^T with S = diag(scale). Kerbl et al. 2023, equation 6.
// The projection works on the factor R S directly (project.h); this is for whoever needs Sigma itself.
#pragma once

#include "splat/math/quat.h"

namespace splat::math {

// R S: column j is the splat's axis j, scaled to one standard deviation.
template <class F>
SPLAT_INLINE Mat3<F> covariance_factor(const Mat3<F>& rotation, const Vec3<F>& scale) {
  const auto& r = rotation.m;
  return {{{r[0][0] * scale.x, r[0][1] * scale.y, r[0][2] * scale.z},
           {r[1][0] * scale.x, r[1][1] * scale.y, r[1][2] * scale.z},
           {r[2][0] * scale.x, r[2][1] * scale.y, r[2][2] * scale.z}}};
}

template <class F>
SPLAT_INLINE Sym3<F> covariance(const Mat3<F>& rotation, const Vec3<F>& scale) {
  const Mat3<F> factor = covariance_factor(rotation, scale);
  const Vec3<F> r0 = row(factor, 0), r1 = row(factor, 1), r2 = row(factor, 2);
  return {dot(r0, r0), dot(r0, r1), dot(r0, r2), dot(r1, r1), dot(r1, r2), dot(r2, r2)};
}

template <class F>
struct CovarianceGradient {
  Mat3<F> v_rotation;  // continue with rotation_from_quat_vjp
  Vec3<F> v_log_scale;
};

template <class F>
SPLAT_INLINE CovarianceGradient<F> covariance_vjp(const Mat3<F>& rotation, const Vec3<F>& scale, const Sym3<F>& v) {
  const Mat3<F> factor = covariance_factor(rotation, scale);
  const Mat3<F> twice_v{{{v.xx + v.xx, v.xy, v.xz}, {v.xy, v.yy + v.yy, v.yz}, {v.xz, v.yz, v.zz + v.zz}}};
  const Vec3<F> c0 = twice_v * column(factor, 0);  // columns of the gradient by R S
  const Vec3<F> c1 = twice_v * column(factor, 1);
  const Vec3<F> c2 = twice_v * column(factor, 2);
  return {{{{c0.x * scale.x, c1.x * scale.y, c2.x * scale.z},
            {c0.y * scale.x, c1.y * scale.y, c2.y * scale.z},
            {c0.z * scale.x, c1.z * scale.y, c2.z * scale.z}}},
          {dot(c0, column(factor, 0)), dot(c1, column(factor, 1)), dot(c2, column(factor, 2))}};
}

}  // namespace splat::math
