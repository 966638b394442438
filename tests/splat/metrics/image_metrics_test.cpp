#include "splat/metrics/image_metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "splat/core/random.h"
#include "splat/math/constants.h"

namespace splat {
namespace {

struct Pair {
  ImageF render;
  TrainingImage photo;
};

Pair random_pair(int width, int height, uint64_t seed) {
  Pair pair;
  pair.render.width = pair.photo.width = width;
  pair.render.height = pair.photo.height = height;
  random::Sequence numbers(seed, random::kTest);
  for (int i = 0; i < 3 * width * height; ++i) {
    pair.photo.rgb.push_back(uint8_t(numbers.below(256)));
    pair.render.rgb.push_back(0.7f * float(pair.photo.rgb.back()) / 255 + 0.4f * numbers.uniform() - 0.05f);
  }
  return pair;
}

// The definition, pixel by pixel: an 11x11 window around every pixel, zeros outside.
double ssim_by_definition(const Pair& pair) {
  const int w = pair.photo.width, h = pair.photo.height;
  double weight[11], sum = 0, total = 0;
  for (int i = 0; i < 11; ++i) sum += weight[i] = std::exp(-(i - 5) * (i - 5) / (2 * 1.5 * 1.5));
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        double m1 = 0, m2 = 0, e11 = 0, e22 = 0, e12 = 0;
        for (int j = 0; j < 11; ++j)
          for (int i = 0; i < 11; ++i) {
            const int u = x + i - 5, v = y + j - 5;
            if (u < 0 || v < 0 || u >= w || v >= h) continue;
            const size_t p = size_t((c * h + v) * w + u);
            const double a = std::round(std::fmin(1, std::fmax(0, pair.render.rgb[p])) * 255) / 255;
            const double b = pair.photo.rgb[p] / 255.0, g = weight[i] * weight[j] / (sum * sum);
            m1 += g * a, m2 += g * b, e11 += g * a * a, e22 += g * b * b, e12 += g * a * b;
          }
        total += (2 * m1 * m2 + 1e-4) * (2 * (e12 - m1 * m2) + 9e-4) /
                 ((m1 * m1 + m2 * m2 + 1e-4) * (e11 - m1 * m1 + e22 - m2 * m2 + 9e-4));
      }
  return total / (3.0 * w * h);
}

TEST(ImageMetrics, SsimFollowsItsDefinition) {
  for (auto [width, height] : {std::pair{23, 17}, {5, 40}, {1, 1}}) {
    const Pair pair = random_pair(width, height, uint64_t(width));
    EXPECT_NEAR(image_metrics(pair.render, pair.photo).ssim, ssim_by_definition(pair), 1e-12);
  }
}

TEST(ImageMetrics, PsnrOfAKnownError) {
  Pair pair = random_pair(30, 20, 1);
  for (uint8_t& v : pair.photo.rgb) v = uint8_t(20 + v / 2);
  for (size_t i = 0; i < pair.render.rgb.size(); ++i)
    pair.render.rgb[i] = (float(pair.photo.rgb[i]) + (i % 2 ? 10 : -10)) / 255;
  EXPECT_NEAR(image_metrics(pair.render, pair.photo).psnr, 20 * std::log10(25.5), 1e-9);
}

TEST(ImageMetrics, RendersAreClampedAndRounded) {
  Pair pair = random_pair(30, 20, 1);
  for (size_t i = 0; i < pair.render.rgb.size(); ++i) {
    pair.photo.rgb[i] = i % 3 == 0 ? 255 : i % 3 == 1 ? 0 : 100;
    pair.render.rgb[i] = i % 3 == 0 ? 1.8f : i % 3 == 1 ? -0.4f : 100.4f / 255;
  }
  const ImageMetrics metrics = image_metrics(pair.render, pair.photo);
  EXPECT_EQ(metrics.psnr, kMaxPsnr);
  EXPECT_NEAR(metrics.ssim, 1, 1e-12);
}

// 48 dB of one wrong step in one pixel, 53 dB for being one of 200000 values: no better than identical pictures.
TEST(ImageMetrics, NothingBeatsIdenticalPictures) {
  Pair pair{{257, 260, std::vector<float>(3 * 257 * 260, 0.2f)},
            {257, 260, std::vector<uint8_t>(3 * 257 * 260, 51), {}}};
  EXPECT_EQ(image_metrics(pair.render, pair.photo).psnr, kMaxPsnr);
  pair.render.rgb[1000] = 52 / 255.0f;
  EXPECT_EQ(image_metrics(pair.render, pair.photo).psnr, kMaxPsnr);
  pair.render.rgb[1000] = 100 / 255.0f;
  EXPECT_LT(image_metrics(pair.render, pair.photo).psnr, 70);
}

TEST(ImageMetrics, RendersThatAreNotNumbersShow) {
  Pair pair = random_pair(30, 20, 1);
  pair.render.rgb[500] = std::nanf("");
  EXPECT_TRUE(std::isnan(image_metrics(pair.render, pair.photo).psnr));
  EXPECT_TRUE(std::isnan(image_metrics(pair.render, pair.photo).ssim));
}

TEST(ImageMetrics, MaskedPixelsDoNotCount) {
  Pair pair = random_pair(40, 30, 2), spoilt = pair;
  pair.photo.mask.assign(40 * 30, 255);
  for (int y = 10; y < 20; ++y)
    for (int x = 5; x < 30; ++x) pair.photo.mask[size_t(y * 40 + x)] = 0;
  spoilt.photo.mask = pair.photo.mask;
  for (size_t p = 0; p < 40 * 30; ++p)
    if (pair.photo.mask[p] == 0) spoilt.render.rgb[p] = spoilt.render.rgb[p + 2 * 40 * 30] = 1;
  const ImageMetrics clean = image_metrics(pair.render, pair.photo), same = image_metrics(spoilt.render, spoilt.photo);
  EXPECT_EQ(clean.psnr, same.psnr);
  EXPECT_EQ(clean.ssim, same.ssim);
  pair.photo.mask.clear();
  EXPECT_NE(image_metrics(pair.render, pair.photo).psnr, clean.psnr);
  pair.photo.mask.assign(40 * 30, 0);
  EXPECT_EQ(image_metrics(pair.render, pair.photo).psnr, kMaxPsnr);
}

TEST(ImageMetrics, ThreadsDoNotMatter) {
  const Pair pair = random_pair(61, 47, 3);
  const ImageMetrics alone = image_metrics(pair.render, pair.photo);
  ThreadPool pool(3);
  const ImageMetrics together = image_metrics(pair.render, pair.photo, &pool);
  EXPECT_EQ(alone.psnr, together.psnr);
  EXPECT_EQ(alone.ssim, together.ssim);
}

}  // namespace
}  // namespace splat
