// Opacities that were stored as whole bytes, in place of logits, and colours in place of coefficients.
#pragma once

#include <algorithm>
#include <span>

#include "splat/model/gaussians.h"

namespace splat {

// All within 0..255, and some beyond what a logit is ever trained to.
inline bool are_bytes(std::span<const float> values) {
  constexpr float kBeyondLogits = 40;
  bool beyond = false;
  for (const float value : values) {
    if (value < 0 || value > 255) return false;
    beyond |= value > kBeyondLogits;
  }
  return beyond;
}

// Colours (f_dc) all within 0..255, and a tenth of them beyond what a coefficient is ever trained to.
inline bool are_colour_bytes(const Gaussians& model) {
  constexpr float kBeyondCoefficients = 12;
  const size_t stride = size_t(model.coefficients()) * 3;
  size_t beyond = 0;
  for (size_t row = 0; row < model.size(); ++row)
    for (size_t c = 0; c < 3; ++c) {
      const float value = model.sh[row * stride + c];
      if (value < 0 || value > 255) return false;
      beyond += value > kBeyondCoefficients;
    }
  return 10 * beyond > 3 * model.size();
}

}  // namespace splat
