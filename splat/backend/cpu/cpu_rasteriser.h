// Rasterisation of arrays of others on the CPU, by the stages of the CPU backend: tiles, SIMD, threads. Deterministic:
// the same bytes for every number of threads (not for every SIMD level). Floats; doubles are reference_rasteriser.h's.
// Cost: about what the backend takes for the same splats without the loss and Adam; each three channels beyond the
// first, depth included, cost blending once more.
#pragma once

#include <memory>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/raster/raster.h"

namespace splat {

// Fails as make_cpu_backend() does.
Result<std::unique_ptr<raster::Rasteriser<float>>> make_cpu_rasteriser(const CpuOptions& options = {});

}  // namespace splat
