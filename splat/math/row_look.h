// How a row is drawn in pictures of a model that is edited, beside its parameters: a byte of bits, and the colours that
// it refers to.
#pragma once

#include <cstdint>

#include "splat/math/vec.h"

namespace splat::math {

enum RowLook : uint8_t { kTinted = 1, kNotDrawn = 2 };  // the bits above them are the number of the tint

// `share` of the splat's colour, before it is cut off at 0, is replaced by this one.
struct Tint {
  float red = 0, green = 0, blue = 0;  // [0,1]
  float share = 0;                     // [0,1]

  friend bool operator==(const Tint&, const Tint&) = default;
};

inline constexpr uint32_t kTints = 8;
struct Tints {
  Tint of[kTints];  // by number
};

constexpr uint8_t tinted_look(uint32_t number) { return uint8_t(kTinted | number << 2); }  // < kTints
SPLAT_INLINE constexpr uint32_t tint_number(uint32_t look) { return look >> 2 & (kTints - 1); }

// share: the tint's where the splat is tinted, else 0, which changes nothing.
template <class F>
SPLAT_INLINE Vec3<F> tinted(const Vec3<F>& tint, F share, const Vec3<F>& colour) {
  return {fma(share, tint.x - colour.x, colour.x), fma(share, tint.y - colour.y, colour.y),
          fma(share, tint.z - colour.z, colour.z)};
}

}  // namespace splat::math
