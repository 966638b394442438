// The transfer function of sRGB (IEC 61966-2-1) and its inverse: displayed values and light, each in 0..1; beyond 1
// both go on by the same formula, below 0 they are linear.
#pragma once

#include <cmath>

namespace splat::math {

template <class F>
F linear_from_srgb(F display) {
  return display <= F(0.04045) ? display / F(12.92) : std::pow((display + F(0.055)) / F(1.055), F(2.4));
}

template <class F>
F srgb_from_linear(F light) {
  return light <= F(0.0031308) ? F(12.92) * light : F(1.055) * std::pow(light, 1 / F(2.4)) - F(0.055);
}

}  // namespace splat::math
