// From a SIMD level to its kernels.
#pragma once

#include "splat/backend/cpu/kernels.h"
#include "splat/backend/cpu/simd_level.h"
#include "splat/core/check.h"

namespace splat::cpu {

const Kernels& kernels_of(SimdLevel level);  // must be compiled in

}  // namespace splat::cpu
