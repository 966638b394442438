// Blocks of 16 splats, of rows (backend/parameter_rows.h), as parameters.h stores them.
#pragma once

#include <cstddef>

#include "splat/backend/parameter_rows.h"

namespace splat::cpu {

inline constexpr int kBlockSplats = 16;

inline constexpr size_t block_count(size_t splats) { return (splats + kBlockSplats - 1) / kBlockSplats; }

}  // namespace splat::cpu
