// From the SIMD levels to their kernels.
#include <hwy/targets.h>

#include <string_view>

#include "align/match/matcher.h"
#include "splat/core/check.h"
#include "splat/core/system.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace align {
namespace {

struct LevelEntry {
  MatchLevel level;
  std::string_view limit;  // the value of HIPSPLAT_SIMD from which on it may be taken
  bool usable;
};

#if defined(__x86_64__)
// VNNI with vectors of 512 bits, and with 256 bits on processors that lack those.
bool has_vnni(bool wide) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid_count(7, wide ? 0 : 1, &a, &b, &c, &d)) return false;
  return wide ? (c >> 11 & 1) != 0 : (a >> 4 & 1) != 0;
}

std::vector<LevelEntry> entries() {
  const int64_t targets = int64_t(hwy::SupportedTargets());
  const bool has_avx2 = targets & HWY_AVX2, has_avx512 = targets & HWY_AVX3;
  std::vector<LevelEntry> levels{{{"sse4", sse4::match_kernels()}, "sse4", (targets & HWY_SSE4) != 0},
                                 {{"avx2", avx2::match_kernels()}, "avx2", has_avx2}};
#ifdef ALIGN_AVX2VNNI
  levels.push_back({{"avx2vnni", avx2vnni::match_kernels()}, "avx2", has_avx2 && has_vnni(false)});
#endif
  levels.push_back({{"avx512", avx512::match_kernels()}, "avx512", has_avx512});
  levels.push_back({{"avx512vnni", avx512vnni::match_kernels()}, "avx512", has_avx512 && has_vnni(true)});
  return levels;
}
#else
std::vector<LevelEntry> entries() { return {{{"neon", neon::match_kernels()}, "neon", true}}; }
#endif

}  // namespace

std::vector<MatchLevel> usable_match_levels() {
  std::vector<MatchLevel> usable;
  for (const LevelEntry& entry : entries())
    if (entry.usable) usable.push_back(entry.level);
  return usable;
}

MatchLevel choose_match_level() {
  const char* variable = splat::environment("HIPSPLAT_SIMD");
  const std::string_view limit = variable ? variable : "";
  MatchLevel best{};
  bool beyond = false;
  for (const LevelEntry& entry : entries()) {
    if (beyond && entry.limit != limit) break;
    beyond = beyond || (!limit.empty() && entry.limit == limit);
    if (entry.usable) best = entry.level;
  }
  SPLAT_CHECK(best.kernels.best_two != nullptr);
  return best;
}

}  // namespace align
