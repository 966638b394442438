// Numbers as compact splat formats store them: 8-bit opacities and colours, the smallest three components of a
// quaternion. Half floats are splat/core/half.h.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "splat/math/sh.h"

namespace io {

inline constexpr float kSh0 = float(splat::math::kSh0);

// Rounded to the nearest of 0..top; NaN becomes 0.
inline uint32_t to_steps(float unit, uint32_t top) {
  return uint32_t(std::fmin(std::fmax(unit, 0.0f), 1.0f) * float(top) + 0.5f);
}
inline uint8_t to_byte(float unit) { return uint8_t(to_steps(unit, 255)); }

inline float sigmoid(float logit) { return 1.0f / (1.0f + std::exp(-logit)); }

// The logit of a stored opacity byte / 255. The ends stand for "nearly 0" and "nearly 1", a quarter of a step inside:
// they draw like 0 and 1 (below 1/255, above 0.99), keep their byte when stored again, and stay finite.
inline float logit_of_byte(uint8_t byte) {
  const float a = std::clamp(float(byte), 0.25f, 254.75f) / 255.0f;
  return std::log(a / (1.0f - a));
}

inline constexpr float kSqrtHalf = 0.70710678f;  // no component but the largest of a unit quaternion exceeds it

// The unit quaternion, or the identity for one without a length.
inline std::array<float, 4> normalised(const float* quat) {  // [4] wxyz
  const double norm = std::sqrt(double(quat[0]) * quat[0] + double(quat[1]) * quat[1] + double(quat[2]) * quat[2] +
                                double(quat[3]) * quat[3]);
  if (!(norm > 0) || std::isinf(norm)) return {1, 0, 0, 0};
  return {float(quat[0] / norm), float(quat[1] / norm), float(quat[2] / norm), float(quat[3] / norm)};
}

inline size_t largest_of(const std::array<float, 4>& q) {
  size_t largest = 0;
  for (size_t i = 1; i < 4; ++i)
    if (std::abs(q[i]) > std::abs(q[largest])) largest = i;
  return largest;
}

// The component that unit length leaves for the one that is not stored.
inline float missing_component(float a, float b, float c) {
  return std::sqrt(std::fmax(0.0f, 1.0f - (a * a + b * b + c * c)));
}

}  // namespace io
