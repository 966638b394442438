// The arithmetic of matching, compiled once per SIMD level; all levels give the same numbers. Plain data in and out, as
// in the engine's CPU kernels. "vnni" levels are for processors that multiply bytes four at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace align {

inline constexpr size_t kDescriptorBytes = 128;  // SIFT

// For every descriptor of one photo the largest and the second largest dot product with those of the other, 0 where
// there are fewer than two; dot products are exact. The second equals the best where two are equally near.
struct BestTwo {
  int32_t *best, *second;  // [n]
};

struct BestTwoArgs {
  const uint8_t* a;  // [n_a, 128]
  const uint8_t* b;  // [n_b, 128]
  size_t n_a, n_b;
  BestTwo of_a, of_b;
  std::byte* scratch;  // [scratch_bytes(n_a, n_b)], aligned to 64
};

struct MatchKernels {
  void (*best_two)(const BestTwoArgs& args);
  size_t (*scratch_bytes)(size_t n_a, size_t n_b);
};

#define ALIGN_MATCH_LEVEL(level)                                               \
  namespace level {                                                            \
  void best_two(const BestTwoArgs& args);                                      \
  size_t scratch_bytes(size_t n_a, size_t n_b);                                \
  constexpr MatchKernels match_kernels() { return {best_two, scratch_bytes}; } \
  }
ALIGN_MATCH_LEVEL(sse4)
ALIGN_MATCH_LEVEL(avx2)
ALIGN_MATCH_LEVEL(avx2vnni)
ALIGN_MATCH_LEVEL(avx512)
ALIGN_MATCH_LEVEL(avx512vnni)
ALIGN_MATCH_LEVEL(neon)
#undef ALIGN_MATCH_LEVEL

}  // namespace align
