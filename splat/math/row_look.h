// How a row is drawn in pictures of a model that is edited, beside its parameters: a byte of bits.
#pragma once

#include <cstdint>

#include "splat/math/vec.h"

namespace splat::math {

enum RowLook : uint8_t { kTinted = 1, kNotDrawn = 2 };

// `share` of the splat's colour, before it is cut off at 0, is replaced by this one.
struct Tint {
  float red = 0, green = 0, blue = 0;  // [0,1]
  float share = 0;                     // [0,1]
};

// share: the tint's where the splat is tinted, else 0, which changes nothing.
template <class F>
SPLAT_INLINE Vec3<F> tinted(const Tint& tint, F share, const Vec3<F>& colour) {
  return {fma(share, F(tint.red) - colour.x, colour.x), fma(share, F(tint.green) - colour.y, colour.y),
          fma(share, F(tint.blue) - colour.z, colour.z)};
}

}  // namespace splat::math
