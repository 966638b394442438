// Where nearly all of a scene lies.
#include "splat/model/robust_extent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "splat/core/random.h"
#include "splat/math/constants.h"
#include "splat/model/near_scale.h"

namespace splat {
namespace {

// `object` opaque splats within +-1 and `haze` faint ones within +-20.
Gaussians hazy(size_t object, size_t haze, float faint_logit) {
  Gaussians model;
  model.resize(object + haze);
  random::Sequence values(5, random::kTest);
  for (size_t row = 0; row < model.size(); ++row) {
    const float reach = row < object ? 1.0f : 20.0f;
    for (size_t c = 0; c < 3; ++c) model.means[3 * row + c] = reach * (2 * float(values.uniform()) - 1);
    model.logit_opacities[row] = row < object ? 2 : faint_logit;
  }
  return model;
}

TEST(RobustExtent, AHazeOfFaintSplatsDoesNotCount) {
  for (const size_t haze : {300u, 20'000u}) {
    const auto extent = robust_extent(hazy(2000, haze, -3.9f));  // 0.02
    ASSERT_TRUE(extent);
    for (size_t c = 0; c < 3; ++c) {
      EXPECT_GT(extent->low[c], -1.1) << haze;
      EXPECT_LT(extent->high[c], 1.1) << haze;
      EXPECT_LT(extent->low[c], -0.9);
      EXPECT_GT(extent->high[c], 0.9);
    }
  }
  EXPECT_GT(robust_extent(hazy(2000, 2000, 2))->high[0], 15) << "what is as opaque counts as much";
}

TEST(RobustExtent, StrayAndBrokenRowsDoNotCount) {
  Gaussians model = hazy(2000, 0, 0);
  model.means[0] = 1e9f;
  model.means[4] = std::numeric_limits<float>::quiet_NaN();
  model.logit_opacities[2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_LT(robust_extent(model)->high[0], 1.1);
  model.means.assign(model.means.size(), std::numeric_limits<float>::quiet_NaN());
  EXPECT_FALSE(robust_extent(model));
  Gaussians transparent = hazy(100, 0, 0);
  transparent.logit_opacities.assign(100, -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(robust_extent(transparent)) << "then all count the same";
}

TEST(RobustExtent, OfPointsIsTheFirstToTheLastPercentile) {
  std::vector<float> xyz;
  for (int i = 0; i < 1000; ++i) xyz.insert(xyz.end(), {float(i), 1, -float(i)});
  const auto extent = robust_extent(xyz);
  EXPECT_EQ(extent->low[0], 10);
  EXPECT_EQ(extent->high[0], 989);
  EXPECT_EQ(extent->low[1], 1);
  EXPECT_EQ(extent->high[2], -10);
}

TEST(FramedExtent, WhatIsStrewnAroundASubjectDoesNotCount) {
  const Gaussians model = hazy(2000, 150, 2);  // 7 % of them, as opaque as the subject
  EXPECT_GT(robust_extent(model)->high[0], 5);
  const auto extent = framed_extent(model);
  for (size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(extent->low[c], -1, 0.15);
    EXPECT_NEAR(extent->high[c], 1, 0.15);
  }
}

TEST(FramedExtent, WhatIsEvenlySpreadIsAllInIt) {
  const auto extent = framed_extent(hazy(5000, 0, 0));
  for (size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(extent->low[c], -1, 0.02);
    EXPECT_NEAR(extent->high[c], 1, 0.02);
  }
}

TEST(FramedExtent, FewSplatsAreAllInItWithTheirSizes) {
  Gaussians model = hazy(20, 0, 0);
  for (size_t i = 0; i < 20; ++i)
    for (size_t c = 0; c < 3; ++c)
      model.means[3 * i + c] = 0, model.log_scales[3 * i + c] = std::log(0.001f), model.quats[4 * i] = 1;
  model.means[0] = 50;
  model.log_scales[3] = 0;  // 1 long, and turned from x to y
  model.quats[4] = model.quats[7] = std::sqrt(0.5f);
  model.means[3 * 2] = std::numeric_limits<float>::quiet_NaN();
  const auto extent = framed_extent(model);
  EXPECT_NEAR(extent->high[0], 50, 0.01) << "no stray";
  EXPECT_NEAR(extent->high[1], 2, 0.01);
  EXPECT_NEAR(extent->low[1], -2, 0.01);
  EXPECT_NEAR(extent->high[2], 0, 0.01);
  EXPECT_FALSE(framed_extent(Gaussians()));
}

// Small scenes are drawn enlarged, so that the near plane does not cut them off.
TEST(NearScale, IsAPowerOfTwoForWhatIsSmall) {
  for (const float side : {1e-5f, 3e-3f, 0.05f, 0.2f, 1.0f, 500.0f}) {
    Gaussians model = hazy(2000, 0, 0);
    for (float& value : model.means) value *= side;
    const double scale = near_scale(model);
    EXPECT_EQ(std::exp2(std::round(std::log2(scale))), scale) << side;
    EXPECT_EQ(scale > 1, side < 0.1f) << side;
    EXPECT_GE(scale * double(side), std::min(0.15, 0.9 * scale)) << side;
    EXPECT_LE(scale * double(side), std::max(2.1, double(side))) << side;
  }
  EXPECT_EQ(near_scale(Gaussians()), 1);
  EXPECT_EQ(near_plane(1), math::kNearPlane) << "other scenes keep theirs";
  EXPECT_EQ(near_plane(0.1), math::kNearPlane);
  EXPECT_NEAR(near_plane(1e-5) / 1e-5, 0.0075, 0.0026);
}

}  // namespace
}  // namespace splat
