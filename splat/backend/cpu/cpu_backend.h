// The CPU backend: 16x16 tiles, SIMD over pixels and splats, a thread pool. Deterministic: the same bytes for every
// thread count (not for every SIMD level). Layout and method: see frame.h and parameters.h. One file a stage; project,
// blend_forward, loss, blend_backward and update do what the GPU's files of these names do. bin and combine are here
// alone: on the GPU project counts a splat's tiles and tile_lists emits them, and update sums up what combine does.
// Cost of an iteration on one AVX2 core: about 80 ms for 100k splats at 500x375. Memory: about 1 KB a splat.
#pragma once

#include <memory>

#include "splat/backend/backend.h"
#include "splat/backend/cpu/simd_level.h"

namespace splat {

struct CpuOptions {
  int threads = 0;  // 0: every core
  cpu::SimdLevel level = cpu::SimdLevel::kAuto;
};

struct StageDuration {
  double wall_ms = 0, cpu_ms = 0;  // cpu: of all threads of the process
};

// Times of the last call of each stage.
struct CpuTimings {
  StageDuration project, bin, sort, blend_forward, loss, blend_backward, combine, update;
  size_t visible = 0, instances = 0, stepped = 0;
};

class CpuBackend : public Backend {
 public:
  virtual const CpuTimings& timings() const = 0;
};

// Fails on a CPU without a usable SIMD level, or without the requested level.
Result<std::unique_ptr<CpuBackend>> make_cpu_backend(const CpuOptions& options = {});

}  // namespace splat
