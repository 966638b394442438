// Depth maps fitted to what is known of a scene.
#include "splat/train/depth_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random_values.h"

namespace splat::test {
namespace {

// Inverse depths from 0.2 to 1, and a map of them: inverse depths scaled and shifted, or depths.
std::vector<DepthSample> samples_of(size_t count, bool is_depth, double wrong_share, double noise = 0) {
  RandomValues random(7);
  std::vector<DepthSample> samples;
  for (size_t i = 0; i < count; ++i) {
    const double inverse = random.uniform(0.2, 1);
    const double value = is_depth ? 4000 / inverse : 65535 * (inverse - 0.1) / 2;  // scale 2, shift 0.1
    const bool wrong = random.uniform(0, 1) < wrong_share;                         // what the point lies behind
    samples.push_back({uint16_t(std::lround(value)), (wrong ? 0.5 : 1) * inverse * (1 + noise * random.normal())});
  }
  return samples;
}

TEST(DepthFit, FindsScaleAndShiftOfEitherKind) {
  const DepthFit inverse = fit_depth(samples_of(300, false, 0), false);
  EXPECT_TRUE(inverse.good);
  EXPECT_NEAR(inverse.scale, 2, 1e-3);
  EXPECT_NEAR(inverse.shift, 0.1, 1e-3);
  const DepthFit depth = fit_depth(samples_of(300, true, 0), true);
  EXPECT_TRUE(depth.good);
  EXPECT_NEAR(depth.scale, 4000, 5);
  EXPECT_NEAR(depth.shift, 0, 1e-3);
}

TEST(DepthFit, WrongSamplesDoNotMoveIt) {
  const DepthFit fit = fit_depth(samples_of(5000, false, 0.35, 0.01), false);
  EXPECT_TRUE(fit.good);
  EXPECT_NEAR(fit.scale, 2, 0.05);
  EXPECT_NEAR(fit.shift, 0.1, 0.02);
}

TEST(DepthFit, TheOtherKindFitsWorse) {
  for (const bool is_depth : {false, true}) {
    const auto samples = samples_of(300, is_depth, 0.1, 0.01);
    const DepthFit right = fit_depth(samples, is_depth), other = fit_depth(samples, !is_depth);
    EXPECT_TRUE(right.good);
    EXPECT_TRUE(!other.good || other.error > 2 * right.error) << other.error << " " << right.error;
  }
}

TEST(DepthFit, FailsWhereTheMapSaysNothing) {
  EXPECT_FALSE(fit_depth(samples_of(kFewestSamples - 1, false, 0), false).good) << "too few";
  auto samples = samples_of(300, false, 0);
  for (DepthSample& s : samples) s.value = uint16_t(65535 - s.value);
  EXPECT_FALSE(fit_depth(samples, false).good) << "nearer is farther";
  for (DepthSample& s : samples) s.value = 1000;
  EXPECT_FALSE(fit_depth(samples, false).good) << "a constant";
  RandomValues random(8);
  for (DepthSample& s : samples) s.value = uint16_t(1 + random.below(65000));
  EXPECT_FALSE(fit_depth(samples, false).good) << "noise";
}

}  // namespace
}  // namespace splat::test
