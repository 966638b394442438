#include "io/images/resize.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/pictures.h"

namespace {

using splat::Image8, splat::test::flat_picture, splat::test::wavy_picture;

TEST(Resize, WholeFactorsAreTheBoxMean) {
  const Image8 image = wavy_picture(24, 18, 3);
  for (int factor : {1, 2, 3, 6}) {
    const Image8 small = io::resize_area(image, 24 / factor, 18 / factor);
    for (int y = 0; y < small.height; ++y)
      for (int x = 0; x < small.width; ++x)
        for (int c = 0; c < 3; ++c) {
          int sum = 0;
          for (int v = 0; v < factor; ++v)
            for (int u = 0; u < factor; ++u)
              sum += image.pixels[size_t(((y * factor + v) * 24 + x * factor + u) * 3 + c)];
          const int count = factor * factor;
          ASSERT_EQ(small.pixels[size_t((y * small.width + x) * 3 + c)], (sum + count / 2) / count);
        }
  }
}

TEST(Resize, FractionalFactorsWeighByCoveredArea) {
  // A ramp 10 x + 5 at pixel centres is linear, so the mean over any interval is its value at the interval's centre.
  Image8 ramp{25, 2, 1, {}};
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 25; ++x) ramp.pixels.push_back(uint8_t(10 * x + 5));
  const Image8 small = io::resize_area(ramp, 10, 1);
  // Within a pixel the source is constant, which shifts the mean by at most 10 * 0.25 / 2.5 / 2.
  for (int x = 0; x < 10; ++x) EXPECT_NEAR(small.pixels[size_t(x)], 25 * (x + 0.5), 1.3) << x;
}

TEST(Resize, FlatStaysFlat) {
  for (uint8_t value : {0, 1, 127, 255}) {
    const Image8 small = io::reduce_area(flat_picture(997, 31, 3, value), 1.99, 3.3, 501, 10);
    for (uint8_t pixel : small.pixels) ASSERT_EQ(pixel, value);
  }
}

TEST(Resize, TheRemainderAtTheBorderIsCut) {
  Image8 image = flat_picture(5, 5, 1, 10);
  for (int i = 0; i < 5; ++i) image.pixels[size_t(4 + 5 * i)] = image.pixels[size_t(20 + i)] = 250;
  const Image8 small = io::reduce_area(image, 2, 2, 2, 2);
  for (uint8_t pixel : small.pixels) EXPECT_EQ(pixel, 10);
}

TEST(Resize, TransparentPixelsDoNotBleed) {
  // Opaque 200 beside transparent 0: the colour stays 200, the alpha becomes a half.
  const Image8 image{2, 1, 2, {200, 255, 0, 0}};
  const Image8 small = io::resize_area(image, 1, 1);
  EXPECT_EQ(small.pixels[0], 200);
  EXPECT_EQ(small.pixels[1], 128);
}

}  // namespace
