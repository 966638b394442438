// FloatV: a vector of floats that fulfils the number concept of splat/math/number.h, over Highway.
// Only for files compiled once per SIMD level (hipsplat_simd_levels in backend/cpu/CMakeLists.txt), which set the
// instruction-set flags and SPLAT_SIMD_LEVEL, the name of the level and of the namespace that keeps its code apart.
// Such files use no std:: code out of line: the linker could pick its copy, with this level's instructions, for all.
// Arm's SVE has no level of its own: its vectors cannot be members of a class, as in FloatV; NEON serves it.
// Accuracy against double, measured by simd_test: exp <= 3 ULP within +-20 and <= 6 in [-87.3, 88.3], exp2_normal <= 3
// ULP, log <= 1 ULP; rcp and rsqrt are a rounded division and square root, so that results do not depend on the CPU's
// maker.
#pragma once

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "splat/core/hd.h"

#ifndef SPLAT_SIMD_LEVEL
#error "splat/core/simd.h is for files that are compiled once per SIMD level"
#endif

// A lambda that must not become a function of its own.
#define SPLAT_LAMBDA __attribute__((always_inline))

namespace splat::simd::SPLAT_SIMD_LEVEL {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::CappedTag<float, 16>;
using IntTag = hn::RebindToSigned<FloatTag>;
inline constexpr int kLanes = int(hn::MaxLanes(FloatTag()));

struct MaskV {
  hn::Mask<FloatTag> raw;
};

struct FloatV {
  using Mask = MaskV;
  hn::Vec<FloatTag> raw;

  FloatV() = default;
  SPLAT_INLINE explicit FloatV(float x) : raw(hn::Set(FloatTag(), x)) {}
  SPLAT_INLINE explicit FloatV(double x) : raw(hn::Set(FloatTag(), float(x))) {}
  SPLAT_INLINE explicit FloatV(int x) : raw(hn::Set(FloatTag(), float(x))) {}
  SPLAT_INLINE explicit FloatV(hn::Vec<FloatTag> x) : raw(x) {}

  SPLAT_INLINE FloatV& operator+=(FloatV b) { return raw = hn::Add(raw, b.raw), *this; }
  SPLAT_INLINE FloatV& operator-=(FloatV b) { return raw = hn::Sub(raw, b.raw), *this; }
  SPLAT_INLINE FloatV& operator*=(FloatV b) { return raw = hn::Mul(raw, b.raw), *this; }
};

SPLAT_INLINE FloatV operator+(FloatV a, FloatV b) { return FloatV(hn::Add(a.raw, b.raw)); }
SPLAT_INLINE FloatV operator-(FloatV a, FloatV b) { return FloatV(hn::Sub(a.raw, b.raw)); }
SPLAT_INLINE FloatV operator*(FloatV a, FloatV b) { return FloatV(hn::Mul(a.raw, b.raw)); }
SPLAT_INLINE FloatV operator/(FloatV a, FloatV b) { return FloatV(hn::Div(a.raw, b.raw)); }
SPLAT_INLINE FloatV operator-(FloatV a) { return FloatV(hn::Neg(a.raw)); }

SPLAT_INLINE MaskV operator<(FloatV a, FloatV b) { return {hn::Lt(a.raw, b.raw)}; }
SPLAT_INLINE MaskV operator<=(FloatV a, FloatV b) { return {hn::Le(a.raw, b.raw)}; }
SPLAT_INLINE MaskV operator>(FloatV a, FloatV b) { return {hn::Gt(a.raw, b.raw)}; }
SPLAT_INLINE MaskV operator>=(FloatV a, FloatV b) { return {hn::Ge(a.raw, b.raw)}; }
SPLAT_INLINE MaskV operator&(MaskV a, MaskV b) { return {hn::And(a.raw, b.raw)}; }
SPLAT_INLINE MaskV operator|(MaskV a, MaskV b) { return {hn::Or(a.raw, b.raw)}; }
SPLAT_INLINE MaskV operator!(MaskV a) { return {hn::Not(a.raw)}; }

SPLAT_INLINE FloatV select(MaskV mask, FloatV a, FloatV b) { return FloatV(hn::IfThenElse(mask.raw, a.raw, b.raw)); }
SPLAT_INLINE FloatV zero_unless(MaskV mask, FloatV a) { return FloatV(hn::IfThenElseZero(mask.raw, a.raw)); }
SPLAT_INLINE FloatV negative_abs(FloatV a) { return FloatV(hn::Or(a.raw, hn::Set(FloatTag(), -0.0f))); }
// Operands are swapped so that NaN behaves as in the scalar min and max of number.h on x86.
SPLAT_INLINE FloatV min(FloatV a, FloatV b) { return FloatV(hn::Min(b.raw, a.raw)); }
SPLAT_INLINE FloatV max(FloatV a, FloatV b) { return FloatV(hn::Max(b.raw, a.raw)); }
SPLAT_INLINE FloatV abs(FloatV a) { return FloatV(hn::Abs(a.raw)); }
SPLAT_INLINE FloatV sqrt(FloatV a) { return FloatV(hn::Sqrt(a.raw)); }
SPLAT_INLINE FloatV rcp(FloatV a) { return FloatV(1.0f) / a; }
SPLAT_INLINE FloatV rsqrt(FloatV a) { return FloatV(1.0f) / sqrt(a); }
SPLAT_INLINE FloatV floor(FloatV a) { return FloatV(hn::Floor(a.raw)); }
SPLAT_INLINE FloatV ceil(FloatV a) { return FloatV(hn::Ceil(a.raw)); }
// One rounding where the level has fused instructions, two on SSE4.
SPLAT_INLINE FloatV fma(FloatV a, FloatV b, FloatV c) { return FloatV(hn::MulAdd(a.raw, b.raw, c.raw)); }
SPLAT_INLINE FloatV negated_fma(FloatV a, FloatV b, FloatV c) { return FloatV(hn::NegMulAdd(a.raw, b.raw, c.raw)); }

// exp's steps on the bits of floats.
SPLAT_INLINE FloatV clamp_exponent(FloatV x) {  // NaN stays NaN
  return FloatV(hn::Min(hn::Set(FloatTag(), 88.37f), hn::Max(hn::Set(FloatTag(), -87.33f), x.raw)));
}
// a * 2^n, with n in the low bits of `shifted`.
SPLAT_INLINE FloatV add_to_exponent(FloatV a, FloatV shifted) {
  const IntTag integers;
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(integers, shifted.raw));
  return FloatV(hn::BitCast(FloatTag(), hn::Add(hn::BitCast(integers, a.raw), exponent)));
}
// e^(r u) 2^n for |r u| <= ln2/2 and n in the low bits of `shifted`: a minimax polynomial of degree 5 (relative error
// 9.3e-8), in Estrin's form: its chain of dependent instructions is shorter than Horner's.
constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer, which the low bits then hold
SPLAT_INLINE FloatV exp_of_parts(FloatV r, double u, FloatV shifted) {
  using F = FloatV;
  const F r2 = r * r;
  const F p01 = fma(r, F(0.999999703674 * u), F(1.0));
  const F p23 = fma(r, F(0.166676439391 * u * u * u), F(0.499991427598 * u * u));
  const F p45 = fma(r, F(0.00829014429176 * u * u * u * u * u), F(0.0418988511074 * u * u * u * u));
  return add_to_exponent(fma(fma(p45, r2, p23), r2, p01), shifted);
}
// e^x, x = n ln2 + r. Saturates: 1.2e-38 below -87.33, 2.4e38 above 88.37.
SPLAT_INLINE FloatV exp(FloatV x) {
  using F = FloatV;
  constexpr float kLog2E = 1.44269504f;
  const F t = clamp_exponent(x);
  const F shifted = fma(t, F(kLog2E), F(kRound));
  const F n = shifted - F(kRound);
#if HWY_TARGET == HWY_SSE4  // the product is rounded: take ln2 in two steps, of which the first is exact
  const F r = negated_fma(n, F(-2.12194440e-4), negated_fma(n, F(0.693359375), t));
#else
  const F r = negated_fma(n, F(0.693147181), t);
#endif
  return exp_of_parts(r, 1, shifted);
}
// 2^x where that is a normal number, x in [-126, 127]; anything at all for other x.
SPLAT_INLINE FloatV exp2_normal(FloatV x) {
  const FloatV shifted = x + FloatV(kRound);
  return exp_of_parts(x - (shifted - FloatV(kRound)), 0.693147180559945, shifted);
}

// ln x for positive normal x, by x = 2^e m, m in [sqrt(1/2), sqrt(2)), and a minimax polynomial in m - 1.
SPLAT_INLINE FloatV log(FloatV x) {
  const IntTag integers;
  const auto bits = hn::BitCast(integers, x.raw);
  const auto offset = hn::Sub(bits, hn::Set(integers, 0x3f3504f3));  // bits of sqrt(1/2)
  const FloatV e(hn::ConvertTo(FloatTag(), hn::ShiftRight<23>(offset)));
  const auto exponent_bits = hn::And(offset, hn::Set(integers, int32_t(0xff800000u)));
  const FloatV f = FloatV(hn::BitCast(FloatTag(), hn::Sub(bits, exponent_bits))) - FloatV(1.0);
  FloatV q = fma(FloatV(-0.0763449519522), f, FloatV(0.12761575403));
  q = fma(q, f, FloatV(-0.131601820837));
  q = fma(q, f, FloatV(0.142017582407));
  q = fma(q, f, FloatV(-0.166233574119));
  q = fma(q, f, FloatV(0.20001226866));
  q = fma(q, f, FloatV(-0.250008210318));
  q = fma(q, f, FloatV(0.333333317079));
  const FloatV f2 = f * f;
  const FloatV tail = fma(q * f, f2, fma(e, FloatV(-2.12194440e-4), FloatV(-0.5) * f2));
  return fma(e, FloatV(0.693359375), f + tail);
}

// Words of 32 bits, one a lane of a FloatV.
struct UintV {
  using Tag = hn::RebindToUnsigned<FloatTag>;
  hn::Vec<Tag> raw;

  UintV() = default;
  SPLAT_INLINE explicit UintV(uint32_t x) : raw(hn::Set(Tag(), x)) {}
  SPLAT_INLINE explicit UintV(hn::Vec<Tag> x) : raw(x) {}
};
SPLAT_INLINE UintV operator+(UintV a, UintV b) { return UintV(hn::Add(a.raw, b.raw)); }
SPLAT_INLINE UintV operator*(UintV a, UintV b) { return UintV(hn::Mul(a.raw, b.raw)); }
SPLAT_INLINE UintV operator^(UintV a, UintV b) { return UintV(hn::Xor(a.raw, b.raw)); }
SPLAT_INLINE UintV operator&(UintV a, UintV b) { return UintV(hn::And(a.raw, b.raw)); }
SPLAT_INLINE UintV operator|(UintV a, UintV b) { return UintV(hn::Or(a.raw, b.raw)); }
SPLAT_INLINE UintV operator>>(UintV a, int n) { return UintV(hn::ShiftRightSame(a.raw, n)); }
SPLAT_INLINE UintV operator<<(UintV a, int n) { return UintV(hn::ShiftLeftSame(a.raw, n)); }
SPLAT_INLINE UintV words_from(uint32_t from) { return UintV(hn::Iota(UintV::Tag(), from)); }  // from, from + 1 ...
SPLAT_INLINE UintV word_bits(FloatV a) { return UintV(hn::BitCast(UintV::Tag(), a.raw)); }
SPLAT_INLINE FloatV float_of_bits(UintV a) { return FloatV(hn::BitCast(FloatTag(), a.raw)); }

// ---- memory
SPLAT_INLINE FloatV load(const float* p) { return FloatV(hn::Load(FloatTag(), p)); }             // aligned [kLanes]
SPLAT_INLINE FloatV load_unaligned(const float* p) { return FloatV(hn::LoadU(FloatTag(), p)); }  // [kLanes]
SPLAT_INLINE void store(FloatV v, float* p) { hn::Store(v.raw, FloatTag(), p); }
SPLAT_INLINE void store_unaligned(FloatV v, float* p) { hn::StoreU(v.raw, FloatTag(), p); }
// Bytes [kLanes] as floats 0..255.
SPLAT_INLINE FloatV load_bytes(const uint8_t* p) {
  const hn::Rebind<uint8_t, FloatTag> bytes;
  return FloatV(hn::ConvertTo(FloatTag(), hn::PromoteTo(IntTag(), hn::LoadU(bytes, p))));
}
// Truncated towards zero; aligned [kLanes].
SPLAT_INLINE void store_as_integers(FloatV v, int32_t* p) { hn::Store(hn::ConvertTo(IntTag(), v.raw), IntTag(), p); }
SPLAT_INLINE void prefetch(const void* p) { __builtin_prefetch(p); }

// ---- lanes
SPLAT_INLINE FloatV lane_numbers() { return FloatV(hn::Iota(FloatTag(), 0.0f)); }  // 0, 1, 2 ...
// Bit i = lane i of the mask.
SPLAT_INLINE uint32_t bits(MaskV mask) {
  uint8_t bytes[8] = {};
  hn::StoreMaskBits(FloatTag(), mask.raw, bytes);
  if constexpr (kLanes <= 8)
    return bytes[0];
  else
    return bytes[0] | uint32_t(bytes[1]) << 8;
}
SPLAT_INLINE MaskV first_lanes(int n) { return {hn::FirstN(FloatTag(), size_t(n))}; }
SPLAT_INLINE MaskV mask_from_bits(uint32_t bits) {
  const hn::RebindToUnsigned<FloatTag> unsigned_tag;
  const auto powers = hn::Shl(hn::Set(unsigned_tag, 1u), hn::Iota(unsigned_tag, 0u));
  return {hn::RebindMask(FloatTag(), hn::TestBit(hn::Set(unsigned_tag, bits), powers))};
}
SPLAT_INLINE float largest(FloatV v) { return hn::GetLane(hn::MaxOfLanes(FloatTag(), v.raw)); }
SPLAT_INLINE float sum(FloatV v) { return hn::GetLane(hn::SumOfLanes(FloatTag(), v.raw)); }

// out[j] bit i = rows[i] bit j, for 64 bytes: an 8x64 matrix of bits.
SPLAT_INLINE void transpose_bits(const uint8_t* rows, uint64_t* out) {
  const hn::CappedTag<int8_t, 64> bytes;
  constexpr int kBytes = int(hn::MaxLanes(bytes));
  for (int j = 0; j < 8; ++j) out[j] = 0;
  for (int i = 0; i < 64; i += kBytes) {
    auto v = hn::LoadU(bytes, reinterpret_cast<const int8_t*>(rows) + i);
    for (int j = 7; j >= 0; --j, v = hn::Add(v, v)) {
      uint8_t signs[8] = {};
      hn::StoreMaskBits(bytes, hn::Lt(v, hn::Zero(bytes)), signs);
      uint64_t word;
      __builtin_memcpy(&word, signs, 8);
      out[j] |= word << i % 64;
    }
  }
}

// Transposes each 4x4 block: v[j] lane 4b+i becomes v[i] lane 4b+j.
SPLAT_INLINE void transpose_blocks(FloatV (&v)[4]) {
  const FloatTag d;
  const hn::RepartitionToWide<FloatTag> pairs;
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, v[0].raw, v[1].raw));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, v[0].raw, v[1].raw));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, v[2].raw, v[3].raw));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, v[2].raw, v[3].raw));
  v[0].raw = hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23));
  v[1].raw = hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23));
  v[2].raw = hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23));
  v[3].raw = hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23));
}

// Lane block b (4 floats) = the 4 floats at p + b * stride.
SPLAT_INLINE FloatV load_blocks(const float* p, size_t stride) {
  const FloatTag d;
  if constexpr (kLanes == 4) {
    (void)stride;
    return FloatV(hn::LoadU(d, p));
  } else {
    const hn::Half<FloatTag> half;
    if constexpr (kLanes == 8) {
      return FloatV(hn::Combine(d, hn::LoadU(half, p + stride), hn::LoadU(half, p)));
    } else {
      const hn::Half<decltype(half)> quarter;
      const auto low = hn::Combine(half, hn::LoadU(quarter, p + stride), hn::LoadU(quarter, p));
      const auto high = hn::Combine(half, hn::LoadU(quarter, p + 3 * stride), hn::LoadU(quarter, p + 2 * stride));
      return FloatV(hn::Combine(d, high, low));
    }
  }
}
// The reverse.
SPLAT_INLINE void store_blocks(FloatV v, float* p, size_t stride) {
  const FloatTag d;
  if constexpr (kLanes == 4) {
    (void)stride;
    hn::StoreU(v.raw, d, p);
  } else {
    const hn::Half<FloatTag> half;
    const auto low = hn::LowerHalf(half, v.raw), high = hn::UpperHalf(half, v.raw);
    if constexpr (kLanes == 8) {
      hn::StoreU(low, half, p);
      hn::StoreU(high, half, p + stride);
    } else {
      const hn::Half<decltype(half)> quarter;
      hn::StoreU(hn::LowerHalf(quarter, low), quarter, p);
      hn::StoreU(hn::UpperHalf(quarter, low), quarter, p + stride);
      hn::StoreU(hn::LowerHalf(quarter, high), quarter, p + 2 * stride);
      hn::StoreU(hn::UpperHalf(quarter, high), quarter, p + 3 * stride);
    }
  }
}

// Structures to vectors: out[f] lane l = p[l * stride + f], f in [0,4).
SPLAT_INLINE void load_transposed(const float* p, size_t stride, FloatV (&out)[4]) {
  for (int j = 0; j < 4; ++j) out[j] = load_blocks(p + j * stride, 4 * stride);
  transpose_blocks(out);
}
// Vectors to structures: p[l * stride + f] = v[f] lane l.
SPLAT_INLINE void store_transposed(FloatV (&v)[4], float* p, size_t stride) {
  transpose_blocks(v);
  for (int j = 0; j < 4; ++j) store_blocks(v[j], p + j * stride, 4 * stride);
}

// The two halves of a vector of 16 lanes added; fewer lanes as they are.
template <class D>
SPLAT_INLINE auto fold_to_eight(D, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(D()) == 16) {
    const hn::Half<D> half;
    return hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v));
  } else {
    return v;
  }
}

// out[i] = sum of the lanes of v[i], i in [0,8), by a tree of transposing additions: 24 operations in place of 8 sums.
SPLAT_INLINE void store_sums(const FloatV (&v)[8], float* out) {
  if constexpr (kLanes == 4) {
    FloatV low[4] = {v[0], v[1], v[2], v[3]}, high[4] = {v[4], v[5], v[6], v[7]};
    transpose_blocks(low);
    transpose_blocks(high);
    store_unaligned((low[0] + low[1]) + (low[2] + low[3]), out);
    store_unaligned((high[0] + high[1]) + (high[2] + high[3]), out + 4);
    return;
  }
  const hn::CappedTag<float, 8> d;
  hn::Vec<decltype(d)> a[4];
  for (int i = 0; i < 4; ++i) {
    const auto low = fold_to_eight(FloatTag(), v[i].raw), high = fold_to_eight(FloatTag(), v[i + 4].raw);
    a[i] = hn::Add(hn::ConcatLowerLower(d, high, low), hn::ConcatUpperUpper(d, high, low));
  }
  const auto even = hn::Add(hn::InterleaveLower(d, a[0], a[2]), hn::InterleaveUpper(d, a[0], a[2]));
  const auto odd = hn::Add(hn::InterleaveLower(d, a[1], a[3]), hn::InterleaveUpper(d, a[1], a[3]));
  hn::StoreU(hn::Add(hn::InterleaveLower(d, even, odd), hn::InterleaveUpper(d, even, odd)), d, out);
}

}  // namespace splat::simd::SPLAT_SIMD_LEVEL
