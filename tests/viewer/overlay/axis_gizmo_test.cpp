#include "viewer/overlay/axis_gizmo.h"

#include <gtest/gtest.h>

namespace viewer {
namespace {

TEST(AxisGizmo, TipsLieWhereTheCameraSeesTheirDirections) {
  // Camera axes are the world's: x right, y down, z forward.
  const auto tips = axis_tips(identity());
  ASSERT_EQ(tips.size(), 6u);
  EXPECT_EQ(tips.front().axis, 2);
  EXPECT_TRUE(tips.front().positive) << "z points away from the camera and is drawn first";
  EXPECT_EQ(tips.back().axis, 2);
  EXPECT_FALSE(tips.back().positive);
  for (const AxisTip& tip : tips) {
    const double sign = tip.positive ? 1 : -1;
    EXPECT_DOUBLE_EQ(tip.x, tip.axis == 0 ? sign : 0);
    EXPECT_DOUBLE_EQ(tip.y, tip.axis == 1 ? sign : 0);
    EXPECT_DOUBLE_EQ(tip.depth, tip.axis == 2 ? sign : 0);
  }
}

TEST(AxisGizmo, TheNearerOfTwoTipsIsPressed) {
  const auto tips = axis_tips(rotation_about({0, 1, 0}, radians(5)));
  const auto middle = tip_at(tips, 0, 0, 0.3);
  ASSERT_TRUE(middle);
  EXPECT_EQ(middle->axis, 2);
  EXPECT_FALSE(middle->positive) << "-z points to the camera";
  EXPECT_DOUBLE_EQ(middle->direction().z, -1);
  EXPECT_FALSE(tip_at(tips, 0.5, 0.5, 0.3)) << "nothing is there";
}

TEST(AxisGizmo, FollowsTheCamera) {
  const auto tips = axis_tips(rotation_about({0, 0, 1}, radians(90)));  // rolled: the world's x is up or down
  for (const AxisTip& tip : tips) EXPECT_NEAR(std::abs(tip.y), tip.axis == 0 ? 1 : 0, 1e-12);
}

}  // namespace
}  // namespace viewer
