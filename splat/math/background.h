// What is transparent shows a background. Colours and alpha in the units they are stored in, 0 to 255 (alpha 255:
// opaque); backgrounds in [0,1].
#pragma once

#include "splat/math/number.h"

namespace splat::math {

// A colour that alpha was not multiplied into.
template <class F>
SPLAT_INLINE F over_background(F colour, F alpha, F background) {
  return (alpha * colour + (F(255) - alpha) * F(255) * background) / F(255);
}

// What lies over one background, over another one, which has `change` more. Exact where they are black and white.
template <class F>
SPLAT_INLINE F over_other_background(F composed, F alpha, F change) {
  return fma(F(255) - alpha, change, composed);
}

}  // namespace splat::math
