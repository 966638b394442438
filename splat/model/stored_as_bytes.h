// Opacities that were stored as whole bytes, in place of logits.
#pragma once

#include <algorithm>
#include <span>

namespace splat {

// All within 0..255, and some beyond what a logit is ever trained to.
inline bool are_bytes(std::span<const float> values) {
  constexpr float kBeyondLogits = 40;
  bool beyond = false;
  for (const float value : values) {
    if (!(value >= 0 && value <= 255)) return false;
    beyond |= value > kBeyondLogits;
  }
  return beyond;
}

}  // namespace splat
