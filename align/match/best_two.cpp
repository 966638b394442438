// All dot products of two sets of descriptors as a tiled matrix product whose results are consumed in registers: of
// each row and column only the two largest are kept. Lanes are columns: `b` is packed so that a vector holds a few
// bytes (a group) of one descriptor per 32-bit lane, and those bytes of a row of `a` are broadcast.
#include <hwy/highway.h>

#include "align/match/kernels.h"

#if defined(__AVX512VNNI__) || defined(__AVXVNNI__)
#define ALIGN_BYTE_PRODUCTS 1
#else
#define ALIGN_BYTE_PRODUCTS 0
#endif
// Highway 0.16 (Ubuntu 22.04) has no products of pairs of 16 bits; x86 has an instruction for them, ARM two for halves.
#define ALIGN_PAIR_PRODUCTS (HWY_ARCH_X86 && HWY_MAJOR < 1)
#define ALIGN_HALF_PRODUCTS (HWY_ARCH_ARM && HWY_MAJOR < 1)
#if ALIGN_BYTE_PRODUCTS || ALIGN_PAIR_PRODUCTS
#include <immintrin.h>
#endif

namespace align::SPLAT_SIMD_LEVEL {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<int32_t, 16>;
using Vec = hn::Vec<Tag>;
using Tag16 = hn::Repartition<int16_t, Tag>;

#define ALIGN_INLINE inline __attribute__((always_inline))

constexpr size_t kLanes = hn::MaxLanes(Tag());
#if ALIGN_BYTE_PRODUCTS
// Unsigned times signed bytes: `b` is packed minus 128, and 128 times the sum of a row is where its products start.
using Packed = uint8_t;
constexpr size_t kGroup = 4;
#else
// Products of bytes widened to 16 bits, added in pairs to 32 bits. (Instructions that add pairs of byte products to 16
// bits saturate.)
using Packed = int16_t;
constexpr size_t kGroup = 2;
#endif
constexpr size_t kGroups = kDescriptorBytes / kGroup;
#if HWY_TARGET == HWY_AVX3  // 32 registers
constexpr size_t kRows = 6, kVectors = 4;
#elif HWY_ARCH_ARM
constexpr size_t kRows = 4, kVectors = 2;  // two sums per product
#else  // 16 registers
constexpr size_t kRows = 6, kVectors = 2;
#endif
constexpr size_t kColumns = kVectors * kLanes;  // of a panel
constexpr size_t kBlockRows = 8 * kRows;        // with their state and a panel they fit into the first cache

constexpr size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

struct Layout {
  size_t rows, columns;  // rounded up
  size_t a, b, start, row_state, column_state, bytes;

  Layout(size_t n_a, size_t n_b) : rows(round_up(n_a, kRows)), columns(round_up(n_b, kColumns)) {
    size_t at = 0;
    const auto take = [&](size_t size) {
      const size_t offset = at;
      at += round_up(size, 64);
      return offset;
    };
    a = take(rows * kDescriptorBytes * sizeof(Packed));
    b = take(columns * kDescriptorBytes * sizeof(Packed));
    start = take(rows * sizeof(int32_t));
    row_state = take(kBlockRows * 2 * kLanes * sizeof(int32_t));
    column_state = take(columns * 2 * sizeof(int32_t));
    bytes = at;
  }
};

void pack_rows(const uint8_t* a, size_t n, size_t rows, Packed* packed, int32_t* start) {
  for (size_t i = 0; i < n * kDescriptorBytes; ++i) packed[i] = a[i];
  for (size_t i = n * kDescriptorBytes; i < rows * kDescriptorBytes; ++i) packed[i] = 0;
  for (size_t r = 0; r < rows; ++r) {
    int32_t sum = 0;
    if (ALIGN_BYTE_PRODUCTS)
      for (size_t k = 0; k < kDescriptorBytes; ++k) sum += packed[r * kDescriptorBytes + k];
    start[r] = 128 * sum;
  }
}

// [panel][group][column][byte of the group]
void pack_columns(const uint8_t* b, size_t n, size_t columns, Packed* packed) {
  constexpr uint8_t kOffset = ALIGN_BYTE_PRODUCTS ? 0x80 : 0;
  for (size_t column = 0; column < columns; ++column) {
    const size_t panel = column / kColumns, lane = column % kColumns;
    Packed* target = packed + panel * kColumns * kDescriptorBytes + lane * kGroup;
    for (size_t group = 0; group < kGroups; ++group, target += kColumns * kGroup)
      for (size_t k = 0; k < kGroup; ++k)
        target[k] = Packed((column < n ? b[column * kDescriptorBytes + group * kGroup + k] : 0) ^ kOffset);
  }
}

ALIGN_INLINE Vec group_of_row(const Packed* row) {
  int32_t bits;
  __builtin_memcpy(&bits, row, sizeof bits);
  return hn::Set(Tag(), bits);
}

#if ALIGN_PAIR_PRODUCTS
[[maybe_unused]] ALIGN_INLINE __m128i pair_products(__m128i a, __m128i b) { return _mm_madd_epi16(a, b); }
#ifdef __AVX2__
[[maybe_unused]] ALIGN_INLINE __m256i pair_products(__m256i a, __m256i b) { return _mm256_madd_epi16(a, b); }
#endif
#ifdef __AVX512BW__
[[maybe_unused]] ALIGN_INLINE __m512i pair_products(__m512i a, __m512i b) { return _mm512_madd_epi16(a, b); }
#endif
#endif

// A sum in the making: NEON keeps its odd and even parts apart until the end.
struct Sum {
  Vec even, odd;
};

ALIGN_INLINE void add_products(Sum& sum, Vec a, Vec b) {
#if defined(__AVX512VNNI__)
  sum.even = Vec{_mm512_dpbusd_epi32(sum.even.raw, a.raw, b.raw)};
#elif defined(__AVXVNNI__)
  sum.even = Vec{_mm256_dpbusd_avx_epi32(sum.even.raw, a.raw, b.raw)};
#elif ALIGN_PAIR_PRODUCTS
  sum.even = hn::Add(sum.even, Vec{pair_products(a.raw, b.raw)});
#elif ALIGN_HALF_PRODUCTS
  const int16x8_t x = vreinterpretq_s16_s32(a.raw), y = vreinterpretq_s16_s32(b.raw);
  sum.even = Vec{vmlal_s16(sum.even.raw, vget_low_s16(x), vget_low_s16(y))};
  sum.odd = Vec{vmlal_high_s16(sum.odd.raw, x, y)};
#else
  const Tag16 d16;
  sum.even = hn::ReorderWidenMulAccumulate(Tag(), hn::BitCast(d16, a), hn::BitCast(d16, b), sum.even, sum.odd);
#endif
}

ALIGN_INLINE Vec finished(const Sum& sum) {
#if ALIGN_BYTE_PRODUCTS || ALIGN_PAIR_PRODUCTS
  return sum.even;
#elif ALIGN_HALF_PRODUCTS
  return Vec{vpaddq_s32(sum.even.raw, sum.odd.raw)};
#else
  return hn::RearrangeToOddPlusEven(sum.even, sum.odd);
#endif
}

ALIGN_INLINE void keep_two(Vec& best, Vec& second, Vec value) {
  second = hn::Max(second, hn::Min(best, value));
  best = hn::Max(best, value);
}

struct Tile {
  const Packed* a;        // [kRows, 128]
  const Packed* panel;    // of b
  const int32_t* start;   // [kRows]
  int32_t* row_state;     // [kRows][best, second][kLanes]
  int32_t* column_state;  // [best, second][kColumns]
};

ALIGN_INLINE void tile(const Tile& t) {
  const Tag d;
  Sum sums[kRows][kVectors];
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 8
    for (size_t v = 0; v < kVectors; ++v) sums[r][v] = {hn::Set(d, t.start[r]), hn::Zero(d)};
  const Packed* b = t.panel;
  for (size_t group = 0; group < kGroups; ++group, b += kColumns * kGroup) {
    Vec column[kVectors];
#pragma GCC unroll 8
    for (size_t v = 0; v < kVectors; ++v)
      column[v] = hn::Load(d, reinterpret_cast<const int32_t*>(b + v * kLanes * kGroup));
#pragma GCC unroll 8
    for (size_t r = 0; r < kRows; ++r) {
      const Vec row = group_of_row(t.a + r * kDescriptorBytes + group * kGroup);
#pragma GCC unroll 8
      for (size_t v = 0; v < kVectors; ++v) add_products(sums[r][v], row, column[v]);
    }
  }
  Vec dots[kRows][kVectors];
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 8
    for (size_t v = 0; v < kVectors; ++v) dots[r][v] = finished(sums[r][v]);
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r) {
    int32_t* state = t.row_state + r * 2 * kLanes;
    Vec best = hn::Load(d, state), second = hn::Load(d, state + kLanes);
#pragma GCC unroll 8
    for (size_t v = 0; v < kVectors; ++v) keep_two(best, second, dots[r][v]);
    hn::Store(best, d, state);
    hn::Store(second, d, state + kLanes);
  }
#pragma GCC unroll 8
  for (size_t v = 0; v < kVectors; ++v) {
    int32_t* state = t.column_state + v * kLanes;
    Vec best = hn::Load(d, state), second = hn::Load(d, state + kColumns);
#pragma GCC unroll 8
    for (size_t r = 0; r < kRows; ++r) keep_two(best, second, dots[r][v]);
    hn::Store(best, d, state);
    hn::Store(second, d, state + kColumns);
  }
}

void fill_zero(int32_t* values, size_t count) {
  for (size_t i = 0; i < count; ++i) values[i] = 0;
}

// The two largest over the lanes.
void finish_row(const int32_t* state, int32_t& best_of_all, int32_t& second_of_all) {
  int32_t best = 0, second = 0;
  for (size_t i = 0; i < kLanes; ++i) {
    const int32_t value = state[i], runner_up = state[kLanes + i];
    if (value > best) {
      second = best > runner_up ? best : runner_up;
      best = value;
    } else if (value > second) {
      second = value;
    }
  }
  best_of_all = best;
  second_of_all = second;
}

}  // namespace

size_t scratch_bytes(size_t n_a, size_t n_b) { return Layout(n_a, n_b).bytes; }

void best_two(const BestTwoArgs& args) {
  const Layout layout(args.n_a, args.n_b);
  Packed* a = reinterpret_cast<Packed*>(args.scratch + layout.a);
  Packed* b = reinterpret_cast<Packed*>(args.scratch + layout.b);
  int32_t* start = reinterpret_cast<int32_t*>(args.scratch + layout.start);
  int32_t* row_state = reinterpret_cast<int32_t*>(args.scratch + layout.row_state);
  int32_t* column_state = reinterpret_cast<int32_t*>(args.scratch + layout.column_state);
  pack_rows(args.a, args.n_a, layout.rows, a, start);
  pack_columns(args.b, args.n_b, layout.columns, b);
  fill_zero(column_state, layout.columns * 2);
  for (size_t block = 0; block < layout.rows; block += kBlockRows) {
    const size_t end = block + kBlockRows < layout.rows ? block + kBlockRows : layout.rows;
    fill_zero(row_state, kBlockRows * 2 * kLanes);
    for (size_t column = 0; column < layout.columns; column += kColumns)
      for (size_t row = block; row < end; row += kRows)
        tile({a + row * kDescriptorBytes, b + column * kDescriptorBytes, start + row,
              row_state + (row - block) * 2 * kLanes, column_state + column * 2});
    for (size_t row = block; row < end && row < args.n_a; ++row)
      finish_row(row_state + (row - block) * 2 * kLanes, args.of_a.best[row], args.of_a.second[row]);
  }
  for (size_t column = 0; column < args.n_b; ++column) {
    const int32_t* state = column_state + column / kColumns * kColumns * 2 + column % kColumns;
    args.of_b.best[column] = state[0];
    args.of_b.second[column] = state[kColumns];
  }
}

}  // namespace align::SPLAT_SIMD_LEVEL
