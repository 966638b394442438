// 3D covariance of a splat, Sigma = R S S^T R^T with S = diag(scale), as its factor R S, which is all that projection
// needs (project.h). Kerbl et al. 2023, equation 6. Of a Sigma that is given as such, its Cholesky factor.
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

// Lower triangular L with L L^T = Sigma; what is not positive definite loses the axes that are not.
template <class F>
SPLAT_INLINE Mat3<F> covariance_factor(const Sym3<F>& s) {
  const F none(0);
  const F xx = sqrt(max(s.xx, none)), per_xx = zero_unless(xx > none, rcp(xx)), yx = s.xy * per_xx, zx = s.xz * per_xx;
  const F yy = sqrt(max(negated_fma(yx, yx, s.yy), none));
  const F zy = negated_fma(yx, zx, s.yz) * zero_unless(yy > none, rcp(yy));
  const F zz = sqrt(max(negated_fma(zy, zy, negated_fma(zx, zx, s.zz)), none));
  return {{{xx, none, none}, {yx, yy, none}, {zx, zy, zz}}};
}

}  // namespace splat::math
