#include "app/jobs/training/report/pictures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "splat/core/check.h"

namespace app {

using splat::Image8;
using splat::ImageF;
using splat::TrainingImage;

namespace {

constexpr uint8_t kMaskedGrey = 96;

uint8_t to_byte(float value) { return uint8_t(std::clamp(value, 0.0f, 1.0f) * 255.0f + 0.5f); }

// Perceived brightness rises steadily along these colours.
std::array<uint8_t, 3> heat_colour(double t) {
  static constexpr double kStops[6][3] = {{0, 0, 4},     {66, 10, 104},  {147, 38, 103},
                                          {221, 81, 58}, {252, 165, 10}, {252, 255, 164}};
  const double position = std::clamp(t, 0.0, 1.0) * 5;
  const int stop = std::min(int(position), 4);
  std::array<uint8_t, 3> colour{};
  for (int c = 0; c < 3; ++c)
    colour[size_t(c)] =
        uint8_t(std::lround(kStops[stop][c] + (kStops[stop + 1][c] - kStops[stop][c]) * (position - stop)));
  return colour;
}

Image8 empty_rgb(int width, int height) {
  Image8 image{width, height, 3, {}};
  image.pixels.resize(size_t(width) * size_t(height) * 3);
  return image;
}

}  // namespace

Image8 to_image8(const ImageF& render) {
  Image8 image = empty_rgb(render.width, render.height);
  const size_t pixels = size_t(render.width) * size_t(render.height);
  for (size_t p = 0; p < pixels; ++p)
    for (size_t c = 0; c < 3; ++c) image.pixels[p * 3 + c] = to_byte(render.rgb[c * pixels + p]);
  return image;
}

Image8 to_image8(const TrainingImage& photo) {
  Image8 image = empty_rgb(photo.width, photo.height);
  const size_t pixels = size_t(photo.width) * size_t(photo.height);
  for (size_t p = 0; p < pixels; ++p) {
    const bool counts = photo.counts(p);
    for (size_t c = 0; c < 3; ++c) {
      const uint8_t value = photo.rgb[c * pixels + p];
      image.pixels[p * 3 + c] = counts ? value : uint8_t((value + 2 * kMaskedGrey) / 3);
    }
  }
  return image;
}

Image8 error_map(const ImageF& render, const TrainingImage& photo) {
  SPLAT_CHECK_EQ(render.width, photo.width);
  SPLAT_CHECK_EQ(render.height, photo.height);
  Image8 image = empty_rgb(photo.width, photo.height);
  const size_t pixels = size_t(photo.width) * size_t(photo.height);
  for (size_t p = 0; p < pixels; ++p) {
    double difference = 0;
    for (size_t c = 0; c < 3; ++c)
      difference += std::abs(double(to_byte(render.rgb[c * pixels + p])) - photo.rgb[c * pixels + p]) / (3 * 255.0);
    std::array<uint8_t, 3> colour = heat_colour(difference / kFullError);
    if (!photo.counts(p)) colour.fill(kMaskedGrey);
    std::copy(colour.begin(), colour.end(), image.pixels.begin() + ptrdiff_t(p * 3));
  }
  return image;
}

}  // namespace app
