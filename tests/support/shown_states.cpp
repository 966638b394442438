#include "tests/support/shown_states.h"

#include "splat/core/check.h"
#include "splat/math/sh.h"

namespace viewer {

void show_states(splat::Gaussians& rows, const ShownRows& shown, const splat::math::Tints& tints) {
  SPLAT_CHECK_EQ(rows.size(), shown.states.size());
  constexpr float kTransparent = -20;  // logit: far below what is drawn
  const size_t width = 3 * size_t(rows.coefficients());
  for (size_t row = 0; row < rows.size(); ++row) {
    if (shown.states[row] & (splat::edit::kHidden | splat::edit::kDeleted)) rows.logit_opacities[row] = kTransparent;
    if (!(shown.states[row] & splat::edit::kSelected)) continue;
    const splat::math::Tint& tint = tints.of[row < shown.reasons.size() ? shown.reasons[row] : 0];
    const float colour[3] = {tint.red, tint.green, tint.blue};
    float* sh = &rows.sh[row * width];
    for (size_t k = 0; k < width; ++k) sh[k] *= 1 - tint.share;
    for (size_t c = 0; c < 3; ++c) sh[c] += tint.share * (colour[c] - 0.5f) / float(splat::math::kSh0);
  }
}

}  // namespace viewer
