// Pictures as the metrics compare them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "splat/model/image.h"

namespace splat {

// As if written to a PNG and read again.
inline double quantised(float value) {
  const double clamped = std::clamp(double(value), 0.0, 1.0);  // NaN stays NaN, and shows
  return std::round(clamped * 255.0) / 255.0;
}

// Difference of one value of the picture, [3,H,W]; values in [0,1]. Same size required, here and below.
inline double difference_at(const ImageF& render, const TrainingImage& photo, size_t value) {
  return quantised(render.rgb[value]) - photo.rgb[value] / 255.0;
}

// Sum over the three channels of the squared differences at a pixel.
inline double squared_error_at(const ImageF& render, const TrainingImage& photo, size_t pixel) {
  const size_t pixels = size_t(photo.width) * size_t(photo.height);
  double sum = 0;
  for (size_t at = pixel; at < 3 * pixels; at += pixels) {
    const double difference = difference_at(render, photo, at);
    sum += difference * difference;
  }
  return sum;
}

}  // namespace splat
