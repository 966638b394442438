// Dropout of splats: in an iteration of training a random share of them is not drawn, and the others stand in with
// larger opacities, so that none relies on the very splats around it. Which ones depends on (seed, iteration, row)
// alone. DropGaussian, Park et al. 2025.
#pragma once

#include "splat/core/random.h"

namespace splat::math {

inline constexpr uint32_t kDropoutLevels = 256;
inline constexpr uint32_t kDropoutRows = 16;  // that one set of random numbers is for

struct Dropout {
  uint32_t share = 0;  // of kDropoutLevels; 0: every splat is drawn
  uint32_t iteration = 0;
  uint64_t seed = 0;
  friend bool operator==(const Dropout&, const Dropout&) = default;
};

// What the opacity of a splat that is drawn is multiplied with; the weight at a pixel stays below kAlphaMax.
SPLAT_HD inline float dropout_factor(const Dropout& dropout) {
  return float(kDropoutLevels) / float(kDropoutLevels - dropout.share);
}

SPLAT_HD inline random::Uint4 dropout_bits(const Dropout& dropout, uint32_t block) {
  return random::philox4x32(dropout.seed, random::kDropout, uint64_t(dropout.iteration) << 32 | block);
}
// Whether row i of the block that the bits are for is drawn.
SPLAT_HD inline bool is_drawn(const random::Uint4& bits, uint32_t share, uint32_t i) {
  const uint32_t word = i < 4 ? bits.x : i < 8 ? bits.y : i < 12 ? bits.z : bits.w;
  return (word >> 8 * (i % 4) & 255) >= share;
}
SPLAT_HD inline bool is_drawn(const Dropout& dropout, uint32_t row) {
  return dropout.share == 0 || is_drawn(dropout_bits(dropout, row / kDropoutRows), dropout.share, row % kDropoutRows);
}
// Bit i: row i of the block.
SPLAT_HD inline uint32_t drawn_rows(const Dropout& dropout, uint32_t block) {
  if (dropout.share == 0) return (1u << kDropoutRows) - 1;
  const random::Uint4 bits = dropout_bits(dropout, block);
  uint32_t drawn = 0;
  for (uint32_t i = 0; i < kDropoutRows; ++i) drawn |= uint32_t(is_drawn(bits, dropout.share, i)) << i;
  return drawn;
}

}  // namespace splat::math
