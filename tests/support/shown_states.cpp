#include "tests/support/shown_states.h"

#include "splat/core/check.h"
#include "splat/math/sh.h"
#include "viewer/live/shown_states.h"

namespace viewer {

void show_states(splat::Gaussians& rows, std::span<const uint8_t> states) {
  SPLAT_CHECK_EQ(rows.size(), states.size());
  constexpr float kTransparent = -20;  // logit: far below what is drawn
  const size_t width = 3 * size_t(rows.coefficients());
  const float tint[3] = {kSelectedTint.red, kSelectedTint.green, kSelectedTint.blue};
  for (size_t row = 0; row < states.size(); ++row) {
    if (states[row] & (splat::edit::kHidden | splat::edit::kDeleted)) rows.logit_opacities[row] = kTransparent;
    if (!(states[row] & splat::edit::kSelected)) continue;
    float* sh = &rows.sh[row * width];
    for (size_t k = 0; k < width; ++k) sh[k] *= 1 - kSelectedTint.share;
    for (size_t c = 0; c < 3; ++c) sh[c] += kSelectedTint.share * (tint[c] - 0.5f) / float(splat::math::kSh0);
  }
}

}  // namespace viewer
