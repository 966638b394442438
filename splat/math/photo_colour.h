// A photo's exposure and white balance, between the rendered picture and the photo that it is compared with: each
// channel times a gain, plus a bias, in the values of the photo. Per-photo affine colour is that of INRIA's code of
// 2024 (there a 3x4 matrix); here without its off-diagonal part, so that channels stay independent.
#pragma once

#include "splat/math/number.h"

namespace splat::math {

template <class F>
struct ChannelColour {
  F gain = F(1), bias = F(0);
};

template <class F>
SPLAT_INLINE F photo_colour(const ChannelColour<F>& colour, F value) {
  return fma(colour.gain, value, colour.bias);
}

template <class F>
struct PhotoColourGradient {
  F by_value, by_gain, by_bias;
};
// v: the gradient by photo_colour(colour, value).
template <class F>
SPLAT_INLINE PhotoColourGradient<F> photo_colour_vjp(const ChannelColour<F>& colour, F value, F v) {
  return {colour.gain * v, value * v, v};
}

}  // namespace splat::math
