#include "splat/stereo/sweep_levels.h"

#include <string>

#include "splat/core/check.h"

namespace splat::stereo {

SweepPlane sweep_plane_of(cpu::SimdLevel level) {
#ifdef HIPSPLAT_LEVEL_SSE4
  if (level == cpu::SimdLevel::kSse4) return sse4::sweep_plane;
#endif
#ifdef HIPSPLAT_LEVEL_AVX2
  if (level == cpu::SimdLevel::kAvx2) return avx2::sweep_plane;
#endif
#ifdef HIPSPLAT_LEVEL_AVX512
  if (level == cpu::SimdLevel::kAvx512) return avx512::sweep_plane;
#endif
#ifdef HIPSPLAT_LEVEL_NEON
  if (level == cpu::SimdLevel::kNeon) return neon::sweep_plane;
#endif
  check_failed(__FILE__, __LINE__, "a SIMD level", std::to_string(int(level)));
}

}  // namespace splat::stereo
