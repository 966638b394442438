#include "splat/metrics/tiles.h"

#include <gtest/gtest.h>

#include <cmath>

#include "splat/metrics/image_metrics.h"

namespace splat {
namespace {

struct GreyPair {
  ImageF render;
  TrainingImage photo;
  size_t plane() const { return size_t(photo.width) * size_t(photo.height); }
  void darken(int x, int y, uint8_t by) {
    for (size_t c = 0; c < 3; ++c) photo.rgb[c * plane() + size_t(y * photo.width + x)] = uint8_t(51 - by);
  }
};

// The same grey everywhere, 51/255 = 0.2.
GreyPair grey_pair(int width, int height) {
  GreyPair pair;
  pair.render = {width, height, std::vector<float>(size_t(3 * width * height), 0.2f)};
  pair.photo = {width, height, std::vector<uint8_t>(size_t(3 * width * height), 51), {}};
  return pair;
}

TEST(Tiles, TheWorstLiesWhereTheErrorIs) {
  GreyPair pair = grey_pair(80, 40);  // tiles of 10x10
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 80; ++x) pair.darken(x, y, 1);
  for (int x = 50; x < 60; ++x) pair.darken(x, 25, 11);
  for (int x = 0; x < 10; ++x)
    for (int y = 30; y < 40; ++y) pair.darken(x, y, 0);
  const auto tiles = tile_extremes(pair.render, pair.photo);
  ASSERT_TRUE(tiles.has_value());
  EXPECT_EQ(tiles->worst.x, 50);
  EXPECT_EQ(tiles->worst.y, 20);
  EXPECT_EQ(tiles->worst.width, 10);
  EXPECT_EQ(tiles->worst.height, 10);
  EXPECT_NEAR(tiles->worst.psnr, -10 * std::log10((0.1 * 121 + 0.9) / (255.0 * 255.0)), 1e-9);
  EXPECT_EQ(tiles->best.x, 0);
  EXPECT_EQ(tiles->best.y, 30);
  EXPECT_EQ(tiles->best.psnr, kMaxPsnr);
}

TEST(Tiles, CoverPicturesOfAnySizeToTheBorder) {
  for (const auto& [width, height] : {std::pair{83, 41}, {1, 1}, {5, 200}, {3, 2}}) {
    GreyPair pair = grey_pair(width, height);
    pair.darken(width - 1, height - 1, 40);
    const auto tiles = tile_extremes(pair.render, pair.photo);
    ASSERT_TRUE(tiles.has_value());
    EXPECT_EQ(tiles->worst.x + tiles->worst.width, width);
    EXPECT_EQ(tiles->worst.y + tiles->worst.height, height);
    EXPECT_LT(tiles->worst.psnr, kMaxPsnr);
  }
}

TEST(Tiles, ThoseThatAreMostlyMaskedAreLeftOut) {
  GreyPair pair = grey_pair(80, 80);
  pair.photo.mask.assign(6400, 255);
  pair.darken(75, 75, 30);
  for (int y = 70; y < 80; ++y)
    for (int x = 70; x < 75; ++x) pair.photo.mask[size_t(y * 80 + x)] = 0;
  EXPECT_EQ(tile_extremes(pair.render, pair.photo)->worst.x, 70) << "half of it counts";
  pair.photo.mask[79 * 80 + 79] = 0;
  EXPECT_EQ(tile_extremes(pair.render, pair.photo)->worst.psnr, kMaxPsnr);
  pair.photo.mask.assign(6400, 0);
  EXPECT_FALSE(tile_extremes(pair.render, pair.photo).has_value());
}

TEST(ImagePsnr, IsTheOneBesideSsim) {
  GreyPair pair = grey_pair(33, 21);
  for (size_t i = 0; i < pair.photo.rgb.size(); ++i) pair.photo.rgb[i] = uint8_t(i * 37 % 256);
  EXPECT_EQ(image_psnr(pair.render, pair.photo), image_metrics(pair.render, pair.photo).psnr);
  pair.photo.mask.assign(pair.plane(), 255);
  for (size_t i = 0; i < 300; ++i) pair.photo.mask[i] = 0;
  EXPECT_EQ(image_psnr(pair.render, pair.photo), image_metrics(pair.render, pair.photo).psnr);
  pair.photo.mask.assign(pair.plane(), 0);
  EXPECT_EQ(image_psnr(pair.render, pair.photo), kMaxPsnr);
}

}  // namespace
}  // namespace splat
