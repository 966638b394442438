#include "splat/metrics/colour_fit.h"

#include <algorithm>
#include <utility>

#include "splat/core/check.h"
#include "splat/math/photo_colour.h"
#include "splat/metrics/quantised.h"

namespace splat {
namespace {

constexpr double kLeastVariance = 1e-6;  // of a channel in [0,1]: a quarter of an 8-bit step

struct Columns {
  int first, end;
};

math::ChannelColour<double> fit(const ImageF& render, const TrainingImage& photo, size_t channel, Columns columns) {
  const size_t width = size_t(photo.width), pixels = width * size_t(photo.height);
  double count = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (size_t row = 0; row < size_t(photo.height); ++row)
    for (size_t p = row * width + size_t(columns.first); p < row * width + size_t(columns.end); ++p) {
      if (!photo.counts(p)) continue;
      const double drawn = std::clamp(double(render.rgb[channel * pixels + p]), 0.0, 1.0);
      const double seen = photo.rgb[channel * pixels + p] / 255.0;
      count += 1, x += drawn, y += seen, xx += drawn * drawn, xy += drawn * seen;
    }
  if (count == 0) return {};
  x /= count, y /= count;
  const double variance = xx / count - x * x;
  if (!(variance > kLeastVariance)) return {};
  const double gain = (xy / count - x * y) / variance;
  return {gain, y - gain * x};
}

}  // namespace

ImageF colour_fitted(const ImageF& render, const TrainingImage& photo) {
  SPLAT_CHECK_EQ(render.width, photo.width);
  SPLAT_CHECK_EQ(render.height, photo.height);
  const Columns left{0, photo.width / 2}, right{photo.width / 2, photo.width};
  ImageF fitted = render;
  const size_t width = size_t(photo.width), pixels = width * size_t(photo.height);
  for (size_t channel = 0; channel < 3; ++channel)
    for (const auto& [half, other] : {std::pair{left, right}, std::pair{right, left}}) {
      const math::ChannelColour<double> colour = fit(render, photo, channel, other);
      for (size_t row = 0; row < size_t(photo.height); ++row)
        for (size_t p = row * width + size_t(half.first); p < row * width + size_t(half.end); ++p) {
          float& value = fitted.rgb[channel * pixels + p];
          value = float(math::photo_colour(colour, std::clamp(double(value), 0.0, 1.0)));
        }
    }
  return fitted;
}

}  // namespace splat
