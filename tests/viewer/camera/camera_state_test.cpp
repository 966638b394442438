#include "viewer/camera/camera_state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace viewer {
namespace {

TEST(CameraState, ViewAndRayAgree) {
  CameraState state;
  state.position = {3, -1, 2};
  state.world_from_cam = rotation_about(normalized(Vec3{1, 2, -1}), 0.7);
  state.focus_distance = 4;
  for (bool orthographic : {false, true}) {
    state.orthographic = orthographic;
    const splat::View view = view_of(state, 640, 480);
    const Vec3 centre = vec3(view.cam_from_world.origin_in_source());
    const Vec3 point = centre + 2.5 * ray_through(state, 640, 480, 100, 400);
    const auto pixel = pixel_of(view, point);
    ASSERT_TRUE(pixel);
    EXPECT_NEAR(pixel->x, 100, 1e-2);
    EXPECT_NEAR(pixel->y, 400, 1e-2);
    EXPECT_LT(length(point_at(view, pixel->x, pixel->y, pixel->depth) - point), 1e-5);
  }
  EXPECT_FALSE(pixel_of(view_of(state, 640, 480), state.position - 500.0 * state.forward()));
}

TEST(CameraState, AFittedPhotoIsWhollyVisibleAndCentred) {
  splat::View photo;
  photo.camera = {300, 400, 350, 360, 130, 210};
  const splat::View wide = fitted(photo, 1200, 800);  // scale 2: 600x800 in the middle
  EXPECT_FLOAT_EQ(wide.camera.fx, 700);
  EXPECT_FLOAT_EQ(wide.camera.fy, 720);
  EXPECT_FLOAT_EQ(wide.camera.cx, 300 + 260);
  EXPECT_FLOAT_EQ(wide.camera.cy, 420);
  const splat::View narrow = fitted(photo, 300, 1000);  // scale 1: 300x400
  EXPECT_FLOAT_EQ(narrow.camera.cx, 130);
  EXPECT_FLOAT_EQ(narrow.camera.cy, 300 + 210);
}

TEST(CameraState, AStateMadeOfAPhotoHasItsPoseAndFieldOfView) {
  CameraState from;
  from.position = {1, 2, 3};
  from.world_from_cam = rotation_about(normalized(Vec3{0, 1, 1}), 1.1);
  from.fov_y_deg = 40;
  const CameraState state = state_of(view_of(from, 640, 480), 1280, 960, 2);
  EXPECT_LT(length(state.position - from.position), 1e-12);
  EXPECT_LT(length(state.forward() - from.forward()), 1e-12);
  EXPECT_NEAR(state.fov_y_deg, 40, 1e-4);
}

TEST(Geometry, InterpolationTurnsTheShortWay) {
  const Mat3 a = rotation_about({0, 0, 1}, 3.0), b = rotation_about({0, 0, 1}, -3.0);
  const Mat3 middle = interpolated(a, b, 0.5);
  EXPECT_NEAR(middle.m[0][0], -1, 1e-9) << "through pi, not through 0";
  const Mat3 half_turn = interpolated(identity(), rotation_about({0, 1, 0}, kPi), 0.5);
  EXPECT_NEAR(std::abs(half_turn.m[0][2]), 1, 1e-9);
  EXPECT_NEAR(half_turn.m[1][1], 1, 1e-9);
}

TEST(Geometry, RobustBoundsLeaveOutliersAside) {
  std::vector<float> points;
  for (int i = 0; i < 1000; ++i) {
    const float t = float(i) / 999;
    points.insert(points.end(), {t, 2 * t, -t});
  }
  points.insert(points.end(), {1e6f, -1e6f, 1e6f});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  points.insert(points.end(), {nan, 0, 0});
  const Bounds bounds = robust_bounds(points);
  EXPECT_NEAR(bounds.low.x, 0, 0.02);
  EXPECT_NEAR(bounds.high.y, 2, 0.04);
  EXPECT_NEAR(bounds.low.z, -1, 0.02);
  EXPECT_TRUE(robust_bounds(std::span<const float>()).empty());
  const std::vector<float> one{1, 2, 3};
  EXPECT_EQ(robust_bounds(one).high.z, 3);
}

}  // namespace
}  // namespace viewer
