// The ground under made-up scenes: its tilt is found amid walls, things on it and noise.
#include "splat/edit/ground_plane.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "splat/core/random.h"
#include "splat/model/transform.h"

namespace splat::edit {
namespace {

using Point = std::array<double, 3>;

struct Scene {
  random::Sequence numbers{7, random::kTest};
  Similarity turn;  // of a scene that was built with y down
  std::vector<float> xyz;

  double any() { return 2 * double(numbers.uniform()) - 1; }
  void add(const Point& p) {
    const Point at = turn * p;
    for (const double value : at) xyz.push_back(float(value));
  }
  void add_ground(int count) {
    for (int i = 0; i < count; ++i) add({5 * any(), 1 + 0.01 * any(), 5 * any()});
  }
  // A wall at the side and a heap of things in the middle.
  void add_things(int count) {
    for (int i = 0; i < count; ++i) {
      add({5 + 0.01 * any(), 1 - 4 * std::abs(any()), 5 * any()});
      add({any(), 1 - 1.5 * std::abs(any()), any()});
    }
  }
};

double degrees_between(const Point& a, const Point& b) {
  double product = 0;
  for (size_t c = 0; c < 3; ++c) product += a[c] * b[c];
  return std::acos(std::min(1.0, product)) * 180 / M_PI;
}

TEST(GroundPlane, IsFoundAmidWallsAndThings) {
  for (const double tilt : {0.0, 12.0, 30.0}) {
    Scene scene;
    scene.turn = {1.5, quat_about({1, 0, 0.4}, tilt), {10, -3, 4}};
    scene.add_ground(1500);
    scene.add_things(1500);
    scene.xyz.insert(scene.xyz.end(), {std::numeric_limits<float>::quiet_NaN(), 0, 0});
    const auto ground = find_ground(scene.xyz, {0, -1, 0});
    ASSERT_TRUE(ground) << tilt;
    EXPECT_LT(degrees_between(ground->up, scene.turn.turned({0, -1, 0})), 0.3) << tilt;
    EXPECT_NEAR(ground->share, 1.0 / 3, 0.05);
    const Point on = inverse(scene.turn) * ground->point;
    EXPECT_NEAR(on[1], 1, 0.05);
    EXPECT_EQ(find_ground(scene.xyz, {0, -1, 0})->up, ground->up) << "the same again";
  }
}

// A ceiling as large as the floor, and a table top: the scene lies above the ground.
TEST(GroundPlane, IsTheLowestOfLevelPlanes) {
  Scene scene;
  scene.add_ground(1000);
  for (int i = 0; i < 1400; ++i) scene.add({5 * scene.any(), -3 + 0.01 * scene.any(), 5 * scene.any()});
  for (int i = 0; i < 600; ++i) scene.add({scene.any(), 0.01 * scene.any(), scene.any()});
  const auto ground = find_ground(scene.xyz, {0, -1, 0});
  ASSERT_TRUE(ground);
  EXPECT_NEAR(ground->point[1], 1, 0.05);
}

TEST(GroundPlane, NothingLevelIsNone) {
  Scene ball;
  for (int i = 0; i < 3000; ++i) {
    Point p{ball.any(), ball.any(), ball.any()};
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    if (length > 1e-3) ball.add({p[0] / length, p[1] / length, p[2] / length});
  }
  const auto on_a_ball = find_ground(ball.xyz, {0, -1, 0});
  EXPECT_FALSE(on_a_ball && on_a_ball->share > 0.1);
  Scene wall;
  for (int i = 0; i < 3000; ++i) wall.add({0.01 * wall.any(), 3 * wall.any(), 3 * wall.any()});
  EXPECT_FALSE(find_ground(wall.xyz, {0, -1, 0})) << "a wall is no ground";
  EXPECT_FALSE(find_ground(std::vector<float>{1, 2, 3}, {0, -1, 0}));
  EXPECT_FALSE(find_ground(std::vector<float>(300, 1.0f), {0, -1, 0})) << "all in one place";
}

}  // namespace
}  // namespace splat::edit
