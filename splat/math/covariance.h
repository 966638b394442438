// 3D covariance of a splat, Sigma = R S S^T R^T with S = diag(scale), as its factor R S, which is all that projection
// needs (project.h). Kerbl et al. 2023, equation 6.
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

}  // namespace splat::math
