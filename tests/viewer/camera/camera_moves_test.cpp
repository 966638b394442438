// The moves of a camera by themselves; that input leads to them is navigator_test.cpp's.
#include "viewer/camera/camera_moves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace viewer {
namespace {

constexpr Vec3 kUp{0, -1, 0};
constexpr int kPictureWidth = 640, kPictureHeight = 480;

CameraState tilted() {
  CameraState camera;
  camera.position = {0.3, -1.2, 2};
  camera.focus_distance = 4;
  camera.world_from_cam = rotation_about(normalized({0.2, 1, 0.4}), 0.7);
  return camera;
}

constexpr double kOfFloats = 3e-7;  // a view's focal length is a float

void expect_at(const Vec3& a, const Vec3& b, double most = 1e-9) { EXPECT_LT(length(a - b), most); }

// The plane's point under a pixel, by the ray through it.
Vec3 on_pivot_plane(const CameraState& camera, double x, double y) {
  const Vec3 ray = ray_through(camera, kPictureWidth, kPictureHeight, x, y);
  return camera.position + (camera.focus_distance / splat::math::dot(ray, camera.forward())) * ray;
}

constexpr Bounds kRoom{{-4, -1.5, -3}, {4, 1.5, 3}};

CameraState looking(const Vec3& from, const Vec3& to) {
  CameraState camera = looking_along({}, normalized(to - from), kUp);
  camera.position = from;
  camera.focus_distance = length(to - from);
  return camera;
}

CameraState framed_from(const CameraState& camera) {
  return framing(camera, kRoom, kRoom.radius(), kPictureWidth, kPictureHeight);
}

// Walked along the walls and looked across, or turned in the middle.
TEST(CameraMoves, ARoomIsFramedFromWhereItWasSeen) {
  for (const double from_walls : {0.85, 0.1}) {
    std::vector<CameraState> cameras;
    for (int i = 0; i < 24; ++i) {
      const double angle = 2 * kPi * i / 24;
      const Vec3 out{std::cos(angle), 0, std::sin(angle)};
      const Vec3 at{from_walls * 4 * out.x, 0.2, from_walls * 3 * out.z};
      cameras.push_back(looking(at, at - out));
    }
    cameras.push_back(looking({3.9, 0, 0}, {4, 0, 0}));  // close to a wall
    for (const CameraState& camera : {looking({0, 0, 9}, {0, 0, 0}), looking({9, 0, 0}, {0, 0, 0}), tilted()}) {
      const CameraState framed = framed_from(camera);
      const auto inside = view_from_inside(kRoom, cameras, framed);
      ASSERT_TRUE(inside) << from_walls;
      EXPECT_LT(std::abs(inside->position.x), 4);
      EXPECT_LT(std::abs(inside->position.z), 3);
      EXPECT_GT(inside->focus_distance, 0.5) << "it turns around what is seen, and not around a wall close by";
      const auto again = view_from_inside(kRoom, cameras, framed_from(*inside));
      ASSERT_TRUE(again);
      expect_at(again->position, inside->position);
    }
    const auto ahead = view_from_inside(kRoom, cameras, framed_from(looking({0, 0, 9}, {0, 0, 0})));
    EXPECT_LT(ahead->forward().z, -0.9) << "as nearly as one looked where the view does";
  }
}

TEST(CameraMoves, AnObjectAndALandAreFramedFromOutside) {
  const auto ring = [](double radius, double height) {
    std::vector<CameraState> cameras;
    for (int i = 0; i < 24; ++i) {
      const double angle = 2 * kPi * i / 24;
      cameras.push_back(looking({radius * std::cos(angle), -height, radius * std::sin(angle)}, {0, 0, 0}));
    }
    return cameras;
  };
  const CameraState framed = framed_from(looking({0, 0, 9}, {0, 0, 0}));
  EXPECT_FALSE(view_from_inside(kRoom, ring(9, 0), framed)) << "around it";
  EXPECT_FALSE(view_from_inside(kRoom, ring(3, 5), framed)) << "from above, as a drone flies";
  EXPECT_FALSE(view_from_inside(kRoom, {}, framed));
  EXPECT_FALSE(view_from_inside({}, ring(1, 0), framed));
  CameraState flat = framed;
  flat.orthographic = true;
  EXPECT_FALSE(view_from_inside(kRoom, ring(1, 0), flat)) << "which nothing is in front of";
  EXPECT_TRUE(view_from_inside(kRoom, ring(1, 0), framed));
}

TEST(CameraMoves, OrbitKeepsThePivotAndItsDistance) {
  CameraState camera = tilted();
  const Vec3 pivot = camera.pivot();
  orbit(camera, kUp, 0.4, -0.2);
  expect_at(camera.pivot(), pivot);
  EXPECT_GT(length(camera.position - tilted().position), 0.1);
}

TEST(CameraMoves, PanAndDollyKeepThePointUnderTheMouse) {
  CameraState camera = tilted();
  const Vec3 held = on_pivot_plane(camera, 100, 400);
  pan(camera, kPictureHeight, 37, -12);
  expect_at(on_pivot_plane(camera, 137, 388), held, kOfFloats);
  dolly(camera, kPictureWidth, kPictureHeight, 1.5, {137, 388});
  EXPECT_DOUBLE_EQ(camera.focus_distance, 1.5);
  expect_at(on_pivot_plane(camera, 137, 388), held, kOfFloats);
}

TEST(CameraMoves, LevelsByThePartThatIsAskedFor) {
  CameraState camera = tilted();
  const double before = roll(camera, kUp);
  ASSERT_GT(std::abs(before), 0.05);
  EXPECT_FALSE(level_by(camera, kUp, 0.25));
  EXPECT_NEAR(roll(camera, kUp), 0.75 * before, 1e-9);
  EXPECT_TRUE(level_by(camera, kUp, 1));
  EXPECT_NEAR(roll(camera, kUp), 0, 1e-9);
}

// How far its corners reach from the middle to the border of the picture, across or down; 1: to the border.
double reach_of(const Bounds& box, int width, int height) {
  const CameraState camera = framing(tilted(), box, 9, width, height);
  expect_at(camera.pivot(), box.centre());
  const splat::View view = view_of(camera, width, height);
  double reach = 0;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner{i & 1 ? box.low.x : box.high.x, i & 2 ? box.low.y : box.high.y, i & 4 ? box.low.z : box.high.z};
    const auto pixel = pixel_of(view, corner);
    if (!pixel) return 9;
    reach = std::max({reach, std::abs(2 * double(pixel->x) / width - 1), std::abs(2 * double(pixel->y) / height - 1)});
  }
  return reach;
}

TEST(CameraMoves, FramingFillsThePictureWithTheBox) {
  for (const auto& [width, height] : {std::pair{640, 480}, std::pair{300, 900}, std::pair{1600, 300}}) {
    for (const Bounds& box : {Bounds{{1, 2, 3}, {4, 3, 5}}, Bounds{{-1, -9, 0}, {1, 9, 0.1}}}) {
      EXPECT_NEAR(reach_of(box, width, height), 1 / 1.1, 0.002) << width;
    }
  }
  CameraState straight = tilted();
  straight.world_from_cam = identity();
  const Bounds line{{0, 0, -3}, {0, 0, 3}};  // seen from its end
  EXPECT_GT(framing(straight, line, 9, kPictureWidth, kPictureHeight).focus_distance, 3.1);
  const CameraState around_nothing = framing(tilted(), Bounds(), 9, kPictureWidth, kPictureHeight);
  EXPECT_NEAR(around_nothing.focus_distance, 9 / std::sin(radians(25)), 1e-9);
}

TEST(CameraMoves, LooksAlongTheVerticalWithTheFrontUp) {
  const CameraState camera = looking_along(tilted(), -1.0 * kUp, kUp);
  expect_at(camera.forward(), -1.0 * kUp);
  expect_at(camera.down(), -1.0 * front(kUp));
  expect_at(camera.pivot(), tilted().pivot());
  expect_at(front({0, 0, 1}), {0, 1, 0});
}

}  // namespace
}  // namespace viewer
