// splat/core/simd.h made callable from ordinary code, once per SIMD level.
#pragma once

#include <cstddef>
#include <cstdint>

namespace splat::test {

struct SimdProbe {
  int lanes;
  // [n], n a multiple of 16
  void (*exp)(const float* x, float* y, size_t n);
  void (*exp2_normal)(const float* x, float* y, size_t n);
  void (*log)(const float* x, float* y, size_t n);
  void (*rcp)(const float* x, float* y, size_t n);
  void (*rsqrt)(const float* x, float* y, size_t n);
  void (*floor)(const float* x, float* y, size_t n);
  void (*from_bytes)(const uint8_t* x, float* y, size_t n);
  void (*to_integers)(const float* x, int32_t* y, size_t n);
  void (*min)(const float* a, const float* b, float* y, size_t n);
  void (*max)(const float* a, const float* b, float* y, size_t n);
  void (*select_less)(const float* a, const float* b, float* y, size_t n);       // a < b ? a : 2 b
  void (*zero_unless_less)(const float* a, const float* b, float* y, size_t n);  // a < b ? a : 0
  uint32_t (*less_bits)(const float* a, const float* b);                         // [lanes]
  uint32_t (*round_trip_bits)(uint32_t bits);                                    // bits -> mask -> bits
  uint32_t (*first_lanes_bits)(int n);
  float (*sum)(const float* x);                                       // [lanes]
  void (*sums)(const float* x, float* y);                             // [8][lanes] -> [8]
  void (*transpose_bits)(const uint8_t* rows, uint64_t* columns);     // [64] -> [8]
  void (*load_transposed)(const float* x, size_t stride, float* y);   // [lanes][stride] -> [4][lanes]
  void (*store_transposed)(const float* x, float* y, size_t stride);  // [4][lanes] -> [lanes][stride]
};

#define SPLAT_DECLARE_PROBE(level) \
  namespace level {                \
  extern const SimdProbe kProbe;   \
  }
SPLAT_DECLARE_PROBE(sse4)
SPLAT_DECLARE_PROBE(avx2)
SPLAT_DECLARE_PROBE(avx512)
SPLAT_DECLARE_PROBE(neon)
#undef SPLAT_DECLARE_PROBE

}  // namespace splat::test
