// Arithmetic of single lanes, as AMD's ISA documents lay it down ("RDNA 2", "Instinct MI200"): IEEE mode, DX10 clamp,
// rounding to nearest even and denormals kept, which is what the translator demands of every kernel.
#pragma once

#include <cmath>
#include <limits>

#include "tests/isa/machine/wave.h"

namespace isa {

inline u32 bits_of(f32 x) { return std::bit_cast<u32>(x); }
inline f32 float_of(u32 x) { return std::bit_cast<f32>(x); }

inline bool is_denormal(f32 x) { return (bits_of(x) & 0x7f800000u) == 0 && (bits_of(x) & 0x7fffffffu) != 0; }
inline f32 without_denormal(f32 x) { return (bits_of(x) & 0x7f800000u) ? x : float_of(bits_of(x) & 0x80000000u); }
inline int exponent_of(f32 x) { return int(bits_of(x) >> 23 & 255); }
inline bool is_denormal(f64 x) { return x != 0 && std::abs(x) < std::numeric_limits<f64>::min(); }
inline int exponent_of(f64 x) { return int(std::bit_cast<u64>(x) >> 52 & 2047); }
inline f64 quiet(f64 x) { return std::bit_cast<f64>(std::bit_cast<u64>(x) | u64(1) << 51); }
inline bool is_signalling(f32 x) { return (bits_of(x) & 0x7fffffffu) > 0x7f800000u && !(bits_of(x) & 0x400000u); }
inline f32 quiet(f32 x) { return float_of(bits_of(x) | 0x400000u); }
inline f32 quiet_nan(f32 x) { return is_signalling(x) ? quiet(x) : x; }

// The documents promise one unit in the last place: with a seed half the results are the second nearest float, on the
// other side of the exact value. Results that are floats exactly stay.
extern u32 near_seed;
inline f32 second_nearest(f64 exact) {
  const f32 nearest = f32(exact);
  const u32 bits = bits_of(nearest), hash = (bits ^ near_seed * 0x9e3779b9u) * 2654435761u >> 31;
  const u32 magnitude = bits & 0x7fffffffu;
  if (hash || f64(nearest) == exact || magnitude <= 0x00800000u || magnitude >= 0x7f7fffffu) return nearest;
  return float_of(std::abs(exact) > std::abs(f64(nearest)) ? bits + 1 : bits - 1);
}

// exp, log, rcp, rsq and sqrt take and give denormals as zeros.
inline f32 exp2_of(f32 x) {
  x = without_denormal(x);
  return without_denormal(near_seed ? second_nearest(exp2(f64(x))) : exp2f(x));
}
inline f32 log2_of(f32 x) {
  x = without_denormal(x);
  return near_seed ? second_nearest(log2(f64(x))) : log2f(x);
}
inline f32 reciprocal(f32 x) {
  x = without_denormal(x);
  return without_denormal(near_seed ? second_nearest(1.0 / f64(x)) : 1.0f / x);
}
inline f32 root(f32 x) {
  x = without_denormal(x);
  return near_seed ? second_nearest(sqrt(f64(x))) : sqrtf(x);
}
inline f32 reciprocal_root(f32 x) {
  x = without_denormal(x);
  return near_seed ? second_nearest(1.0 / sqrt(f64(x))) : 1.0f / sqrtf(x);
}

// v_mac_f32: rounded twice, and without denormal numbers whatever the mode says (LLVM, ISD::FMAD and "v_mad_f32").
inline f32 multiply_add(f32 a, f32 b, f32 c) {
  const f32 product = without_denormal(without_denormal(a) * without_denormal(b));
  return without_denormal(product + without_denormal(c));
}
inline f32 larger(f32 a, f32 b) {
  if (is_signalling(a)) return quiet(a);
  if (is_signalling(b)) return quiet(b);
  if (a != a) return b;
  if (b != b) return a;
  if (a == 0 && b == 0) return float_of(bits_of(a) & bits_of(b));
  return a >= b ? a : b;
}
inline f32 smaller(f32 a, f32 b) {
  if (is_signalling(a)) return quiet(a);
  if (is_signalling(b)) return quiet(b);
  if (a != a) return b;
  if (b != b) return a;
  if (a == 0 && b == 0) return float_of(bits_of(a) | bits_of(b));
  return a < b ? a : b;
}
inline f64 larger(f64 a, f64 b) {
  if (a != a || b != b) return a != a ? b : a;
  if (a == 0 && b == 0) return std::signbit(a) ? b : a;
  return a >= b ? a : b;
}
inline f64 smaller(f64 a, f64 b) {
  if (a != a || b != b) return a != a ? b : a;
  if (a == 0 && b == 0) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
inline f32 middle(f32 a, f32 b, f32 c) {
  if (a != a || b != b || c != c) return smaller(smaller(a, b), c);
  const f32 most = larger(larger(a, b), c);
  return most == a ? larger(b, c) : most == b ? larger(a, c) : larger(a, b);
}
inline f32 clamped(f32 x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

inline i32 to_i32(f32 x) {
  if (x != x) return 0;
  return x >= 2147483648.0f ? 0x7fffffff : x <= -2147483648.0f ? std::numeric_limits<i32>::min() : i32(x);
}
inline i32 to_i32(f64 x) {
  if (x != x) return 0;
  return x >= 2147483647.0 ? 0x7fffffff : x <= -2147483648.0 ? std::numeric_limits<i32>::min() : i32(x);
}
inline u32 to_u32(f32 x) { return !(x > 0) ? 0 : x >= 4294967296.0f ? 0xffffffffu : u32(i64(x)); }
inline u32 to_u32(f64 x) { return !(x > 0) ? 0 : x >= 4294967295.0 ? 0xffffffffu : u32(i64(x)); }

// The three steps around Newton's method for a division n / d with correct rounding.
// The document's "1 / S1 is a denormal" is one of 32 bits: reciprocal() would give zero for it. Where S2 / S1 is one
// too the document scales a denominator S0 by 2^64, beyond the largest number; only 2^-64 makes the division right.
template <class T>
struct Scaled {
  T value;
  bool undo;  // v_div_fmas must scale back
};
template <class T>
Scaled<T> div_scale(T s0, T s1, T s2) {
  constexpr bool kWide = sizeof(T) == 8;
  constexpr int kPower = kWide ? 128 : 64, kFar = kWide ? 768 : 96, kSmall = kWide ? 53 : 23;
  if (s2 == 0 || s1 == 0) return {std::numeric_limits<T>::quiet_NaN(), false};
  const auto by = [&](int power) { return std::ldexp(s0, power); };
  const auto up = [&](T same) { return s0 == same ? by(kPower) : s0; };
  if (exponent_of(s2) - exponent_of(s1) >= kFar) return {up(s1), true};
  if (is_denormal(s1)) return {by(kPower), false};
  const bool tiny_reciprocal = is_denormal(T(1.0 / f64(s1))), tiny_quotient = is_denormal(T(f64(s2) / f64(s1)));
  if (tiny_reciprocal && tiny_quotient) return {s0 == s1 ? by(-kPower) : s0, true};
  if (tiny_reciprocal) return {by(-kPower), false};
  if (tiny_quotient) return {up(s2), true};
  return {exponent_of(s2) <= kSmall ? by(kPower) : s0, false};
}
// 2^64 or 2^-64 times the sum, rounded once, for a quotient that is a denormal: through a sum of 53 bits rounded to
// odd.
inline f32 div_fmas(f32 a, f32 b, f32 c, bool undo) {
  if (!undo) return __builtin_fmaf(a, b, c);
  const f64 product = f64(a) * b, sum = product + c;
  const f64 back = sum - product, lost = (product - (sum - back)) + (c - back);
  u64 bits = std::bit_cast<u64>(sum);
  if (std::isfinite(sum) && lost != 0 && !(bits & 1)) bits += (lost > 0) == (sum > 0) ? 1 : -1;
  return f32(ldexp(std::bit_cast<f64>(bits), exponent_of(c) > 127 ? 64 : -64));
}
// 2^128 or 2^-128 times the sum; rounded twice where the quotient is a denormal.
inline f64 div_fmas(f64 a, f64 b, f64 c, bool undo) {
  const f64 sum = __builtin_fma(a, b, c);
  return undo ? ldexp(sum, exponent_of(c) > 1023 ? 128 : -128) : sum;
}
// A quotient that is no number is one that overflowed on the way.
template <class T>
T div_fixup(T quotient, T d, T n) {
  const T sign = std::signbit(d) != std::signbit(n) ? T(-1) : T(1);
  if (n != n) return quiet(n);
  if (d != d) return quiet(d);
  if ((d == 0 && n == 0) || (std::isinf(d) && std::isinf(n))) return -std::numeric_limits<T>::quiet_NaN();
  if (d == 0 || std::isinf(n)) return sign * std::numeric_limits<T>::infinity();
  if (std::isinf(d) || n == 0) return sign * T(0);
  if (exponent_of(n) - exponent_of(d) < (sizeof(T) == 8 ? -1075 : -150)) return sign * T(0);
  if (quotient != quotient) return sign * std::numeric_limits<T>::infinity();
  return std::copysign(quotient, sign);
}

// Bits of the mask: signalling NaN, quiet NaN, then -inf, -normal, -denormal, -0, +0, +denormal, +normal, +inf.
inline bool is_of_class(f32 x, u32 classes) {
  const bool negative = std::signbit(x);
  if (x != x) return classes >> (is_signalling(x) ? 0 : 1) & 1;
  const int rank = std::isinf(x) ? 0 : x == 0 ? 3 : is_denormal(x) ? 2 : 1;
  return classes >> (negative ? 2 + rank : 9 - rank) & 1;
}

inline bool is_of_class(f64 x, u32 classes) {
  const u64 bits = std::bit_cast<u64>(x), magnitude = bits & ~(u64(1) << 63);
  if (x != x) return classes >> (bits >> 51 & 1) & 1;
  const int rank = std::isinf(x) ? 0 : x == 0 ? 3 : magnitude >> 52 == 0 ? 2 : 1;
  return classes >> (std::signbit(x) ? 2 + rank : 9 - rank) & 1;
}

inline u32 lowest_one(u32 x) { return x ? u32(std::countr_zero(x)) : ~0u; }
inline u32 lowest_one(u64 x) { return x ? u32(std::countr_zero(x)) : ~0u; }
inline u32 highest_one_from_top(u32 x) { return x ? u32(std::countl_zero(x)) : ~0u; }
inline u32 ones(u32 x) { return u32(std::popcount(x)); }
inline u32 ones_below(u32 x, int lanes) {
  return lanes <= 0 ? 0 : lanes >= 32 ? ones(x) : ones(x & ((1u << lanes) - 1));
}
inline u32 reversed(u32 x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
// Bits [from, from + count) of x.
inline u32 field(u32 x, u32 from, u32 count) { return count >= 32 ? x >> from : x >> from & ((1u << count) - 1); }
inline u32 field_signed(u32 x, u32 from, u32 count) {
  if (count == 0) return 0;
  const u32 raw = field(x, from, count), above = 32 - count;
  return from + count >= 32 ? u32(i32(x) >> from) : u32(i32(raw << above) >> above);
}
inline i32 low24(u32 x) { return i32(x << 8) >> 8; }

}  // namespace isa
