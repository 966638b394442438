// Brightness of a photo, Rec. 601 in 256ths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "splat/model/image.h"

namespace splat {

// [H,W] 0 to 255.
inline std::vector<uint8_t> brightness(const TrainingImage& photo) {
  const size_t pixels = size_t(photo.width) * size_t(photo.height);
  const uint8_t *red = photo.rgb.data(), *green = red + pixels, *blue = green + pixels;
  std::vector<uint8_t> y(pixels);
  for (size_t i = 0; i < pixels; ++i) y[i] = uint8_t((77 * red[i] + 150 * green[i] + 29 * blue[i] + 128) >> 8);
  return y;
}

}  // namespace splat
