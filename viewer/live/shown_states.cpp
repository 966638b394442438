#include "viewer/live/shown_states.h"

#include "splat/core/check.h"
#include "splat/math/sh.h"

namespace viewer {
namespace {

constexpr float kTransparent = -20;  // logit: far below what is drawn

}  // namespace

void show_states(splat::Gaussians& rows, std::span<const uint8_t> states, bool tinted) {
  SPLAT_CHECK_EQ(rows.size(), states.size());
  const size_t width = 3 * size_t(rows.coefficients());
  for (size_t row = 0; row < states.size(); ++row) {
    if (states[row] & (splat::edit::kHidden | splat::edit::kDeleted)) rows.logit_opacities[row] = kTransparent;
    if (!tinted || !(states[row] & splat::edit::kSelected)) continue;
    float* sh = &rows.sh[row * width];
    for (size_t k = 0; k < width; ++k) sh[k] *= 1 - kSelectedTint;
    for (size_t c = 0; c < 3; ++c) sh[c] += kSelectedTint * (kSelectedColour[c] - 0.5f) / float(splat::math::kSh0);
  }
}

}  // namespace viewer
