// From a SIMD level to its loops over pixels.
#pragma once

#include "splat/backend/cpu/simd_level.h"
#include "splat/stereo/sweep_kernels.h"

namespace splat::stereo {

SweepPlane sweep_plane_of(cpu::SimdLevel level);  // must be compiled in

}  // namespace splat::stereo
