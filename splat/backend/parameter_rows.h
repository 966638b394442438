// The 59 parameters of a splat as rows of one scalar each, in the order that backends store them in; and between such
// rows and the arrays of a host model.
#pragma once

#include <cstddef>

#include "splat/model/gaussians.h"

namespace splat {

inline constexpr int kMeanRow = 0, kLogScaleRow = 3, kQuatRow = 6, kOpacityRow = 10,
                     kShRow = 11;  // then sh[k][channel]
inline constexpr int kEllipsoidRows = kShRow;
inline constexpr int kMaxRows = kShRow + 3 * kMaxShCoefficients;

// Calls visit(the model's values, their first row, how many) for one splat: the rows of Gaussians, or of Ellipsoids.
template <class Model, class Visit>
void visit_rows(Model& model, size_t splat, const Visit& visit) {
  visit(model.means.data() + 3 * splat, kMeanRow, 3);
  visit(model.log_scales.data() + 3 * splat, kLogScaleRow, 3);
  visit(model.quats.data() + 4 * splat, kQuatRow, 4);
  visit(model.logit_opacities.data() + splat, kOpacityRow, 1);
  if constexpr (kHasColours<Model>) {
    const size_t stored = 3 * size_t(model.coefficients());
    visit(model.sh.data() + stored * splat, kShRow, int(stored));
  }
}

}  // namespace splat
