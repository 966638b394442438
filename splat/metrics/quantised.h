// Pictures as the metrics compare them.
#pragma once

#include <algorithm>
#include <cmath>

#include "splat/model/image.h"

namespace splat {

// As if written to a PNG and read again.
inline double quantised(float value) {
  const double clamped = std::clamp(double(value), 0.0, 1.0);  // NaN stays NaN, and shows
  return std::round(clamped * 255.0) / 255.0;
}

inline bool counts(const TrainingImage& photo, size_t pixel) { return photo.mask.empty() || photo.mask[pixel] != 0; }

}  // namespace splat
