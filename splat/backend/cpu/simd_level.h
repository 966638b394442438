// This CPU, and which instruction set the CPU backend's kernels run with. Every level is compiled in; the choice is
// made at run time.
#pragma once

#include <string>
#include <vector>

#include "splat/core/result.h"

namespace splat::cpu {

enum class SimdLevel { kAuto, kSse4, kAvx2, kAvx512, kNeon };

const char* simd_level_name(SimdLevel level);    // "SSE4", "AVX2", "AVX-512", "NEON"
const char* simd_level_option(SimdLevel level);  // "sse4", "avx2", "avx512", "neon": what HIPSPLAT_SIMD calls it

// Compiled in and usable on this CPU, best last; empty on a CPU older than every level.
std::vector<SimdLevel> usable_simd_levels();

// kAuto: what the environment variable HIPSPLAT_SIMD (sse4, avx2, avx512 or neon) asks for, else the best usable level.
// Asking for a level that is not usable here is an error.
Result<SimdLevel> choose_simd_level(SimdLevel wanted);

std::string cpu_model();  // "AMD EPYC 9654"

}  // namespace splat::cpu
