#include "align/photos/sharpness.h"

#include <algorithm>
#include <cmath>

#include "io/images/resize.h"

namespace align {

using splat::Image8;

namespace {

Image8 brightness(const Image8& image) {
  Image8 grey{image.width, image.height, 1, {}};
  const size_t count = size_t(image.width) * size_t(image.height), channels = size_t(image.channels);
  grey.pixels.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const uint8_t* p = image.pixels.data() + i * channels;
    grey.pixels[i] = channels < 3 ? p[0] : uint8_t((77 * p[0] + 150 * p[1] + 29 * p[2] + 128) >> 8);  // BT.601
  }
  return grey;
}

double laplacian_variance(const Image8& grey) {
  double sum = 0, squares = 0;
  size_t count = 0;
  for (int y = 1; y + 1 < grey.height; ++y)
    for (int x = 1; x + 1 < grey.width; ++x, ++count) {
      const uint8_t* p = grey.pixels.data() + size_t(y) * size_t(grey.width) + size_t(x);
      const double value = double(p[-1]) + p[1] + p[-grey.width] + p[grey.width] - 4.0 * p[0];
      sum += value;
      squares += value * value;
    }
  return count == 0 ? 0 : squares / double(count) - (sum / double(count)) * (sum / double(count));
}

}  // namespace

PictureLook look_at(const Image8& image) {
  PictureLook look;
  Image8 grey = brightness(image);
  const double scale = std::min(1.0, double(kSharpnessSide) / std::max(image.width, image.height));
  if (scale < 1)
    grey = io::resize_area(grey, std::max(1, int(std::lround(image.width * scale))),
                           std::max(1, int(std::lround(image.height * scale))));
  look.sharpness = laplacian_variance(grey);
  if (grey.width >= kThumbSide && grey.height >= kThumbSide) {
    const Image8 thumb = io::resize_area(grey, kThumbSide, kThumbSide);
    std::copy(thumb.pixels.begin(), thumb.pixels.end(), look.thumb.begin());
  }
  return look;
}

double difference(const PictureLook& a, const PictureLook& b) {
  long sum = 0;
  for (size_t i = 0; i < a.thumb.size(); ++i) sum += std::abs(int(a.thumb[i]) - int(b.thumb[i]));
  return double(sum) / double(a.thumb.size());
}

}  // namespace align
