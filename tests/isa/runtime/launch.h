// Runs a grid of blocks. ISA_ORDER=0, or not set: one block after the other, its waves in turn up to each barrier.
// Any other number is a seed: blocks start in a random order, several at once, and the wave that goes on is drawn anew
// at every barrier and at every place where waves of different blocks can meet (atomics with a result, loads past the
// cache, s_sleep). rocPRIM's blocks start in the order of their numbers, and only what they do is mixed: a block of its
// scan waits for those before, which it takes for started, as AMD's hardware starts them (device_scan.hpp since ROCm
// 5.7; before, a block drew its number when it started).
#pragma once

#include <cstddef>

#include "tests/isa/machine/translated.h"

namespace isa {

struct Grid {
  u32 blocks[3];
  u32 threads[3];
};
void launch(const KernelCode& kernel, const Grid& grid, void** arguments, size_t dynamic_lds);

}  // namespace isa
