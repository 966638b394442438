#include "viewer/camera/up_axis.h"

#include <gtest/gtest.h>

#include <cmath>

#include "splat/core/random.h"
#include "tests/support/random_values.h"

namespace viewer {
namespace {

using splat::math::dot;

// A floor with bumps across `normal`.
std::vector<float> floor(const Vec3& normal, double thickness) {
  splat::test::RandomValues random(7);
  const Vec3 a = any_perpendicular(normal), b = splat::math::cross(normal, a);
  std::vector<float> xyz;
  for (int i = 0; i < 5000; ++i) {
    const Vec3 p = Vec3{10, -3, 4} + random.uniform(-5, 5) * a + random.uniform(-4, 4) * b +
                   random.uniform(-thickness, thickness) * normal;
    xyz.insert(xyz.end(), {float(p.x), float(p.y), float(p.z)});
  }
  return xyz;
}

PhotoCamera camera_with(const Mat3& world_from_cam) {
  CameraState state;
  state.world_from_cam = world_from_cam;
  return {"", view_of(state, 4, 3), false};
}

TEST(UpAxis, TheNormalOfAFloorOnTheSideOfMinusY) {
  const Vec3 normal = normalized(Vec3{0.2, 1, -0.3});
  const auto up = up_of_points(floor(normal, 0.5));
  ASSERT_TRUE(up);
  EXPECT_NEAR(dot(*up, normal), -1, 1e-3);
  const auto z_up = up_of_points(floor({0, 0, -1}, 0.5));
  ASSERT_TRUE(z_up);
  EXPECT_NEAR(z_up->z, 1, 1e-3);
}

TEST(UpAxis, ABallHasNone) {
  EXPECT_FALSE(up_of_points(floor({0, 1, 0}, 4)));
  EXPECT_FALSE(up_of_points(std::vector<float>{1, 2, 3}));
  EXPECT_FALSE(up_of_points({}));
}

TEST(UpAxis, TheMeanOfTheCameras) {
  std::vector<PhotoCamera> cameras;
  for (double roll : {-0.2, 0.1, 0.1}) cameras.push_back(camera_with(rotation_about({0, 0, 1}, roll)));
  const auto up = up_of_cameras(cameras);
  ASSERT_TRUE(up);
  EXPECT_LT(up->y, -0.99);
  for (int i = 0; i < 3; ++i) cameras.push_back(camera_with(rotation_about({0, 0, 1}, kPi)));
  EXPECT_FALSE(up_of_cameras(cameras)) << "they contradict each other";
}

TEST(UpAxis, TheFileIsBelievedFirst) {
  const std::vector<PhotoCamera> cameras{camera_with(identity())};
  const std::vector<float> points = floor({0, 0, 1}, 0.1);
  EXPECT_EQ(guess_up(Vec3{0, 0, 2}, cameras, points).source, UpSource::kFile);
  EXPECT_EQ(guess_up(Vec3{0, 0, 2}, cameras, points).up.z, 1);
  EXPECT_EQ(guess_up({}, cameras, points).source, UpSource::kCameras);
  EXPECT_EQ(guess_up({}, {}, points).source, UpSource::kShape);
  EXPECT_EQ(guess_up({}, {}, {}).source, UpSource::kHabit);
  EXPECT_EQ(guess_up({}, {}, {}).up.y, -1);
}

}  // namespace
}  // namespace viewer
