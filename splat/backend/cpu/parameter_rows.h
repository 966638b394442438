// The rows of a block of 16 splats: one scalar parameter each (parameters.h).
#pragma once

#include <cstddef>

namespace splat::cpu {

inline constexpr int kBlockSplats = 16;
inline constexpr int kMeanRow = 0, kLogScaleRow = 3, kQuatRow = 6, kOpacityRow = 10,
                     kShRow = 11;  // then sh[k][channel]
inline constexpr int kMaxCoefficients = 16;
inline constexpr int kMaxRows = kShRow + 3 * kMaxCoefficients;

inline constexpr size_t block_count(size_t splats) { return (splats + kBlockSplats - 1) / kBlockSplats; }

}  // namespace splat::cpu
