// 16-bit floating-point numbers (IEEE 754 binary16) as bits, to and from float.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace splat {

// Exact; infinities and NaN stay such.
inline float float_from_half(uint16_t half) {
  const uint32_t sign = uint32_t(half & 0x8000u) << 16, exponent = (half >> 10) & 31u, fraction = half & 1023u;
  if (exponent == 0) return std::copysign(float(fraction) * 0x1p-24f, std::bit_cast<float>(sign));
  const uint32_t wide = exponent == 31 ? 255u : exponent + 112u;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

// The nearest, ties to even; a magnitude beyond 65504 becomes that. Not for NaN.
inline uint16_t half_from_float(float value) {
  constexpr float kMaxHalf = 65504.0f, kSmallestNormal = 6.103515625e-05f;  // 2^-14
  const float limited = std::clamp(value, -kMaxHalf, kMaxHalf);
  const uint32_t bits = std::bit_cast<uint32_t>(limited);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const float magnitude = std::abs(limited);
  if (magnitude < kSmallestNormal)  // in units of 2^-24
    return uint16_t(sign | uint32_t(std::nearbyint(magnitude * 16777216.0f)));
  const uint32_t rebiased = (bits & 0x7fffffffu) - (112u << 23);
  const uint32_t rounded = rebiased + 0xfffu + ((rebiased >> 13) & 1u);
  return uint16_t(sign | (rounded >> 13));
}

}  // namespace splat
