#include "splat/backend/cpu/simd_level.h"

#include <hwy/targets.h>

#include <fstream>

#include "splat/backend/cpu/dispatch.h"
#include "splat/core/system.h"

namespace splat::cpu {
namespace {

struct LevelEntry {
  SimdLevel level;
  const char* name;
  const char* option;  // in HIPSPLAT_SIMD
  int64_t hwy_target;
  bool compiled;
  Kernels kernels;
};

#ifdef HIPSPLAT_LEVEL_SSE4
#define SPLAT_SSE4_KERNELS true, sse4::kernels(4)
#define SPLAT_AVX2_KERNELS true, avx2::kernels(8)
#else
#define SPLAT_SSE4_KERNELS \
  false, {}
#define SPLAT_AVX2_KERNELS \
  false, {}
#endif
#ifdef HIPSPLAT_LEVEL_AVX512
#define SPLAT_AVX512_KERNELS true, avx512::kernels(16)
#else
#define SPLAT_AVX512_KERNELS \
  false, {}
#endif
#ifdef HIPSPLAT_LEVEL_NEON
#define SPLAT_NEON_KERNELS true, neon::kernels(4)
#else
#define SPLAT_NEON_KERNELS \
  false, {}
#endif

// Ascending.
constexpr LevelEntry kLevels[] = {
    {SimdLevel::kSse4, "SSE4", "sse4", HWY_SSE4, SPLAT_SSE4_KERNELS},
    {SimdLevel::kAvx2, "AVX2", "avx2", HWY_AVX2, SPLAT_AVX2_KERNELS},
    {SimdLevel::kAvx512, "AVX-512", "avx512", HWY_AVX3, SPLAT_AVX512_KERNELS},
    {SimdLevel::kNeon, "NEON", "neon", HWY_NEON, SPLAT_NEON_KERNELS},
};

const LevelEntry& entry(SimdLevel level) {
  for (const LevelEntry& candidate : kLevels)
    if (candidate.level == level) return candidate;
  check_failed(__FILE__, __LINE__, "a SIMD level", std::to_string(int(level)));
}

std::string join(const std::vector<SimdLevel>& levels) {
  std::string text;
  for (SimdLevel level : levels) text += (text.empty() ? "" : ", ") + std::string(entry(level).option);
  return text;
}

}  // namespace

const char* simd_level_name(SimdLevel level) { return level == SimdLevel::kAuto ? "auto" : entry(level).name; }

const char* simd_level_option(SimdLevel level) { return level == SimdLevel::kAuto ? "auto" : entry(level).option; }

const Kernels& kernels_of(SimdLevel level) { return entry(level).kernels; }

std::vector<SimdLevel> usable_simd_levels() {
  const int64_t supported = int64_t(hwy::SupportedTargets());
  std::vector<SimdLevel> usable;
  for (const LevelEntry& candidate : kLevels)
    if (candidate.compiled && (supported & candidate.hwy_target)) usable.push_back(candidate.level);
  return usable;
}

Result<SimdLevel> choose_simd_level(SimdLevel wanted) {
  const std::vector<SimdLevel> usable = usable_simd_levels();
  if (usable.empty()) return Error{"this CPU is too old for hipsplat: it lacks even SSE4"};
  std::string asked_by = "the CPU backend was asked for";
  if (wanted == SimdLevel::kAuto) {
    const char* variable = environment("HIPSPLAT_SIMD");
    if (!variable || !*variable) return usable.back();
    asked_by = "HIPSPLAT_SIMD asks for";
    for (const LevelEntry& candidate : kLevels)
      if (candidate.option == std::string(variable)) wanted = candidate.level;
    if (wanted == SimdLevel::kAuto)
      return Error{"HIPSPLAT_SIMD is '" + std::string(variable) +
                   "', which is none of the levels usable here: " + join(usable)};
  }
  for (SimdLevel level : usable)
    if (level == wanted) return level;
  return Error{asked_by + " " + simd_level_name(wanted) +
               ", which this CPU does not have; usable here: " + join(usable)};
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) {
      const size_t colon = line.find(": ");
      if (colon != std::string::npos) return line.substr(colon + 2);
    }
  return "CPU";
}

}  // namespace splat::cpu
