#include "splat/metrics/colour_fit.h"

#include <gtest/gtest.h>

#include "splat/core/random.h"
#include "splat/metrics/image_metrics.h"

namespace splat {
namespace {

struct Photographed {
  ImageF render{20, 12, {}};
  TrainingImage photo{20, 12, {}, {}};
};

// The photo is the render through a gain and a bias, in its left and in its right half.
Photographed photographed(float left_gain, float right_gain, float bias) {
  Photographed pair;
  random::Sequence numbers(3, random::kTest);
  for (int i = 0; i < 3 * 20 * 12; ++i) {
    const float value = 0.1f + 0.6f * numbers.uniform();
    pair.render.rgb.push_back(value);
    pair.photo.rgb.push_back(uint8_t(255 * ((i % 20 < 10 ? left_gain : right_gain) * value + bias) + 0.5f));
  }
  return pair;
}

TEST(ColourFit, TakesOutWhatTheCameraDid) {
  const Photographed pair = photographed(0.7f, 0.7f, 0.05f);
  EXPECT_LT(image_psnr(pair.render, pair.photo), 22);
  EXPECT_GT(image_psnr(colour_fitted(pair.render, pair.photo), pair.photo), 50);
}

TEST(ColourFit, JudgesNoPixelByAFitThatItTookPartIn) {
  const Photographed pair = photographed(0.6f, 1.1f, 0);
  EXPECT_LT(image_psnr(colour_fitted(pair.render, pair.photo), pair.photo), image_psnr(pair.render, pair.photo))
      << "each half gets the other's colours, which are wrong for it";
}

TEST(ColourFit, LeavesAloneWhatItCannotFit) {
  Photographed pair = photographed(0.7f, 0.7f, 0);
  pair.photo.mask.assign(240, 0);
  EXPECT_EQ(colour_fitted(pair.render, pair.photo).rgb, pair.render.rgb);
  pair.photo.mask.clear();
  pair.render.rgb.assign(720, 0.25f);
  EXPECT_EQ(colour_fitted(pair.render, pair.photo).rgb, pair.render.rgb);
}

}  // namespace
}  // namespace splat
