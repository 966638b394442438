// Paths for those who have none.
#include "splat/path/ready_made.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "splat/math/vec.h"

namespace splat {
namespace {

using Vector = std::array<double, 3>;

double apart(const Vector& a, const Vector& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

// A ring of views that look at (1, 2, 3) from a height of 1 above it (up is -y) and 4 away.
std::vector<View> ring(size_t count) {
  std::vector<View> views;
  for (size_t i = 0; i < count; ++i) {
    const double a = 2 * std::numbers::pi * double(i) / double(count);
    const Vector at{1 + 4 * std::cos(a), 1, 3 + 4 * std::sin(a)};
    views.push_back(view_of({at, looking_at(at, {1, 2, 3}, {0, -1, 0}), 50}, 400, 300));
  }
  return views;
}

// Where the point lies in the view, px from the principal point; behind the camera: far away.
double off_centre(const CameraPose& pose, const Vector& point) {
  const Vector p = view_of(pose, 400, 300).cam_from_world * point;
  return p[2] > 0 ? std::hypot(p[0], p[1]) / p[2] * 300 : 1e9;
}

TEST(ReadyMade, OrbitGoesRoundWhatTheViewsLookAt) {
  const Orbit orbit = orbit_of(ring(12));
  EXPECT_LT(apart(orbit.centre, {1, 2, 3}), 1e-6);
  const PathCurve curve(orbit_path(orbit, 10));
  EXPECT_NEAR(curve.seconds(), 10, 1e-9);
  for (double t = 0; t < 10; t += 0.37) {
    const CameraPose pose = curve.at(t);
    EXPECT_NEAR(std::hypot(pose.position[0] - 1, pose.position[2] - 3), 4, 0.01);
    EXPECT_NEAR(pose.position[1], 1, 0.02);
    EXPECT_LT(off_centre(pose, {1, 2, 3}), 1);
    EXPECT_LT(view_of(pose, 400, 300).cam_from_world.rotation[4], 1.01);
    EXPECT_GT(view_of(pose, 400, 300).cam_from_world.rotation[4], 0.9) << "the picture's down is +y of the world";
  }
  EXPECT_LT(apart(curve.at(0).position, ring(12)[0].cam_from_world.origin_in_source()), 1e-5);
  EXPECT_LT(apart(curve.at(2.5).position, {1, 1, 7}), 0.02) << "a quarter on, counterclockwise from above";
}

TEST(ReadyMade, ACameraFarAwayIsNoPlaceToFlyTo) {
  std::vector<View> views = ring(12);
  views.push_back(view_of({{5e4, 0, 2e4}, looking_at({5e4, 0, 2e4}, {9e4, 3e4, 0}, {0, -1, 0}), 50}, 400, 300));
  EXPECT_LT(apart(orbit_of(views).centre, {1, 2, 3}), 1e-6);
  EXPECT_LT(apart(orbit_of(views).start, orbit_of(ring(12)).start), 1e-9);
  for (const PathKey& key : flight_path(views, 10, 13).keys) EXPECT_LT(apart(key.pose.position, {1, 2, 3}), 6);
}

TEST(ReadyMade, WiggleStaysInFrontAndLooksAtTheMiddle) {
  const View view = ring(12)[3];
  const PathCurve curve(wiggle_path(view, {1, 2, 3}, 4));
  EXPECT_NEAR(curve.seconds(), 4, 1e-9);
  double widest = 0;
  for (double t = 0; t < 4; t += 0.1) {
    const CameraPose pose = curve.at(t);
    widest = std::max(widest, apart(pose.position, view.cam_from_world.origin_in_source()));
    EXPECT_LT(off_centre(pose, {1, 2, 3}), 1);
  }
  EXPECT_NEAR(widest, 0.06 * std::sqrt(17.), 0.01);
}

TEST(ReadyMade, FlightFollowsThePhotosInOrder) {
  const std::vector<View> views = ring(200);
  const CameraPath path = flight_path(views, 8);
  ASSERT_EQ(path.keys.size(), 24u);
  EXPECT_TRUE(check_path(path).ok());
  double before = -10;
  for (const PathKey& key : path.keys) {
    double angle = std::atan2(key.pose.position[2] - 3, key.pose.position[0] - 1);
    if (angle < -0.2) angle += 2 * std::numbers::pi;
    EXPECT_GT(angle, before);
    before = angle;
    EXPECT_NEAR(std::hypot(key.pose.position[0] - 1, key.pose.position[2] - 3), 4, 0.1);
    EXPECT_LT(off_centre(key.pose, {1, 2, 3}), 8);
  }
  EXPECT_NEAR(PathCurve(path).seconds(), 8, 1e-9);
}

TEST(ReadyMade, FlightOfOnePlaceAndOfOnePhoto) {
  const std::vector<View> views(5, ring(3)[0]);
  EXPECT_EQ(flight_path(views, 8).keys.size(), 1u);
  EXPECT_TRUE(check_path(flight_path(std::span(views).first(1), 8)).ok());
}

TEST(ReadyMade, FromOnePhotoToAnother) {
  const std::vector<View> views = ring(9);
  const PathCurve curve(path_between(views[0], views[2], 3));
  EXPECT_LT(apart(curve.at(0).position, views[0].cam_from_world.origin_in_source()), 1e-9);
  EXPECT_LT(apart(curve.at(3).position, views[2].cam_from_world.origin_in_source()), 1e-9);
  EXPECT_LT(apart(curve.at(0).position, curve.at(0.01).position), 1e-3) << "it starts gently";
}

TEST(ReadyMade, LookingAtOneselfOrAlongUpIsARotation) {
  for (const Vector& target : {Vector{0, 0, 0}, Vector{0, -3, 0}, Vector{0, 3, 0}}) {
    const math::Quat<double> q = looking_at({0, 0, 0}, target, {0, -1, 0});
    EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-12);
  }
}

}  // namespace
}  // namespace splat
