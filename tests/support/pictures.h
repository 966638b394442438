// Small made-up pictures for tests.
#pragma once

#include <cmath>
#include <cstdint>

#include "splat/model/image.h"

namespace splat::test {

// Smooth waves, different in every channel; `seed` shifts them. Alpha (channel 2 of 2, 4 of 4) varies as well.
inline Image8 wavy_picture(int width, int height, int channels, int seed = 0) {
  Image8 image{width, height, channels, {}};
  image.pixels.reserve(size_t(width) * size_t(height) * size_t(channels));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c)
        image.pixels.push_back(
            uint8_t(128 + 60 * std::sin(0.11 * x + 0.9 * c + seed) + 60 * std::cos(0.07 * y + 1.7 * c)));
  return image;
}

inline Image8 flat_picture(int width, int height, int channels, uint8_t value) {
  return {width, height, channels, std::vector<uint8_t>(size_t(width) * size_t(height) * size_t(channels), value)};
}

}  // namespace splat::test
