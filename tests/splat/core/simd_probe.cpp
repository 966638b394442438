#include "tests/splat/core/simd_probe.h"

#include "splat/core/simd.h"

namespace splat::test::SPLAT_SIMD_LEVEL {
namespace {

using namespace splat::simd::SPLAT_SIMD_LEVEL;

template <FloatV (*function)(FloatV)>
void unary(const float* x, float* y, size_t n) {
  for (size_t i = 0; i < n; i += kLanes) store_unaligned(function(load_unaligned(x + i)), y + i);
}
template <FloatV (*function)(FloatV, FloatV)>
void binary(const float* a, const float* b, float* y, size_t n) {
  for (size_t i = 0; i < n; i += kLanes) store_unaligned(function(load_unaligned(a + i), load_unaligned(b + i)), y + i);
}

FloatV exp_of(FloatV x) { return exp(x); }
FloatV exp2_normal_of(FloatV x) { return exp2_normal(x); }
FloatV log_of(FloatV x) { return log(x); }
FloatV rcp_of(FloatV x) { return rcp(x); }
FloatV rsqrt_of(FloatV x) { return rsqrt(x); }
FloatV floor_of(FloatV x) { return floor(x); }
FloatV min_of(FloatV a, FloatV b) { return min(a, b); }
FloatV max_of(FloatV a, FloatV b) { return max(a, b); }
FloatV select_of(FloatV a, FloatV b) { return select(a < b, a, FloatV(2) * b); }
FloatV zero_unless_of(FloatV a, FloatV b) { return zero_unless(a < b, a); }

void from_bytes(const uint8_t* x, float* y, size_t n) {
  for (size_t i = 0; i < n; i += kLanes) store_unaligned(load_bytes(x + i), y + i);
}
void to_integers(const float* x, int32_t* y, size_t n) {
  alignas(64) int32_t integers[kLanes];
  for (size_t i = 0; i < n; i += kLanes) {
    store_as_integers(load_unaligned(x + i), integers);
    for (int k = 0; k < kLanes; ++k) y[i + k] = integers[k];
  }
}
uint32_t less_bits(const float* a, const float* b) { return bits(load_unaligned(a) < load_unaligned(b)); }
uint32_t round_trip_bits(uint32_t wanted) { return bits(mask_from_bits(wanted)); }
uint32_t first_lanes_bits(int n) { return bits(first_lanes(n)); }
float sum_of(const float* x) { return sum(load_unaligned(x)); }
void sums(const float* x, float* y) {
  FloatV v[8];
  for (int i = 0; i < 8; ++i) v[i] = load_unaligned(x + i * kLanes);
  store_sums(v, y);
}
void transpose(const uint8_t* rows, uint64_t* columns) { transpose_bits(rows, columns); }
void load_columns(const float* x, size_t stride, float* y) {
  FloatV v[4];
  load_transposed(x, stride, v);
  for (int i = 0; i < 4; ++i) store_unaligned(v[i], y + i * kLanes);
}
void store_columns(const float* x, float* y, size_t stride) {
  FloatV v[4];
  for (int i = 0; i < 4; ++i) v[i] = load_unaligned(x + i * kLanes);
  store_transposed(v, y, stride);
}

}  // namespace

extern const SimdProbe kProbe{kLanes,
                              unary<exp_of>,
                              unary<exp2_normal_of>,
                              unary<log_of>,
                              unary<rcp_of>,
                              unary<rsqrt_of>,
                              unary<floor_of>,
                              from_bytes,
                              to_integers,
                              binary<min_of>,
                              binary<max_of>,
                              binary<select_of>,
                              binary<zero_unless_of>,
                              less_bits,
                              round_trip_bits,
                              first_lanes_bits,
                              sum_of,
                              sums,
                              transpose,
                              load_columns,
                              store_columns};

}  // namespace splat::test::SPLAT_SIMD_LEVEL
