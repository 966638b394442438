// Out of memory is foreseen: what a run will hold, what this machine has, and how many splats fit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "app/host.h"
#include "splat/core/result.h"

namespace app {

// Measured on the CPU backend (docs/benchmarks.md), splats of SH degree 3 during densification.
inline constexpr size_t kBytesPerSplat = 1400;
inline constexpr size_t kBaseBytes = 64'000'000;  // program, buffers of a view, threads

struct MemoryPlan {
  uint64_t image_limit_bytes = 0;  // photos beyond this are streamed from disk
  uint64_t needed_bytes = 0;       // at the start: program, photos, one splat a point
  uint64_t splats_that_fit = 0;
};

// An error with the figures, and what would fit, when not even the starting splats do.
splat::Result<MemoryPlan> plan_memory(const HostMemory& memory, uint64_t image_bytes, uint64_t starting_splats);

}  // namespace app
