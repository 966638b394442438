#include "splat/metrics/flip.h"

#include <gtest/gtest.h>

#include "tests/splat/metrics/flip_pairs.h"

namespace splat::test {
namespace {

TEST(Flip, AgreesWithNvidiasEvaluator) {
  for (const PicturePair& pair : flip_pairs())
    EXPECT_NEAR(flip(as_render(pair.render), as_photo(pair.photo)), pair.flip, 1e-3) << pair.name;
}

TEST(Flip, OfTheSamePictureIsNone) {
  const Image8 waves = wavy_picture(40, 30, 3);
  EXPECT_EQ(flip(as_render(waves), as_photo(waves)), 0);
}

TEST(Flip, DoesNotDependOnThreads) {
  const PicturePair pair = flip_pairs().front();
  ThreadPool pool(3);
  EXPECT_EQ(flip(as_render(pair.render), as_photo(pair.photo), &pool),
            flip(as_render(pair.render), as_photo(pair.photo)));
}

TEST(Flip, WhatTheMaskLeavesOutDoesNotCount) {
  const Image8 waves = wavy_picture(40, 30, 3);
  Image8 spoiled = waves;
  TrainingImage photo = as_photo(waves);
  photo.mask.assign(40 * 30, 255);
  for (size_t p = 0; p < 300; ++p) spoiled.pixels[3 * p] ^= 0x80, photo.mask[p] = 0;
  EXPECT_EQ(flip(as_render(spoiled), photo), 0);
  EXPECT_GT(flip(as_render(spoiled), as_photo(waves)), 0.05);
  photo.mask.assign(40 * 30, 0);
  EXPECT_EQ(flip(as_render(spoiled), photo), 0);
}

}  // namespace
}  // namespace splat::test
