// Boxes: what is inside, corners, distances, and the pixels that see one, against brute force.
#include "splat/model/box.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "splat/core/random.h"
#include "splat/model/focus_point.h"
#include "splat/model/transform.h"

namespace splat {
namespace {

using Point = std::array<double, 3>;

const Box kTurned = box_about({1, -2, 5}, {0.5, 1, 2}, quat_about({1, 2, -1}, 40));

TEST(Box, IsExactAlongTheAxes) {
  const Box box{{-0.1, 0.2, 1e6}, {0.3, 0.7, 1e6 + 1}};
  EXPECT_TRUE(box.contains(box.low));
  EXPECT_TRUE(box.contains(box.high));
  EXPECT_FALSE(box.contains({std::nextafter(0.3, 1), 0.5, 1e6}));
  EXPECT_FALSE(box.contains({0, 0.5, std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_FALSE(box.turned());
  EXPECT_TRUE(kTurned.turned());
  EXPECT_TRUE(Box{}.empty());
  EXPECT_TRUE((Box{{0, 0, 0}, {1, 1, 0}}).empty());
  EXPECT_FALSE(box.empty());
}

TEST(Box, CornersAndDistancesOfATurnedOne) {
  for (const Point& corner : kTurned.corners()) {
    EXPECT_NEAR(kTurned.distance(corner), 0, 1e-12);
    const Point middle = kTurned.centre();
    Point out, in;
    for (size_t c = 0; c < 3; ++c) {
      out[c] = middle[c] + 1.1 * (corner[c] - middle[c]);
      in[c] = middle[c] + 0.9 * (corner[c] - middle[c]);
    }
    EXPECT_TRUE(kTurned.contains(in));
    EXPECT_FALSE(kTurned.contains(out));
    EXPECT_NEAR(kTurned.distance(out), 0.1 * std::sqrt(0.25 + 1 + 4), 1e-12);  // a corner is the nearest
    EXPECT_EQ(kTurned.distance(in), 0);
  }
  // Beyond the face of the box's own third axis.
  const Point axis = Similarity{1, kTurned.rotation, {}}.turned({0, 0, 1});
  const Point middle = kTurned.centre();
  EXPECT_NEAR(kTurned.distance({middle[0] + 5 * axis[0], middle[1] + 5 * axis[1], middle[2] + 5 * axis[2]}), 3, 1e-12);
}

TEST(Box, UsableOnesHaveAnInsideAndARotation) {
  EXPECT_TRUE(is_usable(kTurned));
  EXPECT_FALSE(is_usable({}));
  EXPECT_FALSE(is_usable({{0, 0, 0}, {1, 1, std::numeric_limits<double>::infinity()}}));
  EXPECT_FALSE(is_usable({{0, 0, 0}, {1, 1, 1}, {2, 0, 0, 0}}));
  EXPECT_FALSE(is_usable({{-1e308, 0, 0}, {1.7e308, 1, 1}})) << "its side is no number";
  const auto q = unit_quat({0, 3, 0, 4});
  EXPECT_DOUBLE_EQ(q.x, 0.6);
  EXPECT_DOUBLE_EQ(q.z, 0.8);
}

View view_from(const Point& from, const math::Quat<double>& turn) {
  View view;
  view.camera = {64, 48, 40, 44, 31.5f, 25};
  const math::Mat3<double> rotation = math::rotation_from_quat(turn);
  const auto& r = rotation.m;
  for (size_t i = 0; i < 3; ++i) {
    view.cam_from_world.translation[i] = 0;
    for (size_t c = 0; c < 3; ++c) {
      view.cam_from_world.rotation[3 * i + c] = r[i][c];
      view.cam_from_world.translation[i] -= r[i][c] * from[c];
    }
  }
  return view;
}

// Whether a ray meets the box, by many points along it.
bool meets_by_steps(const Box& box, const View& view, int x, int y) {
  const auto& r = view.cam_from_world.rotation;
  const Point origin = view.cam_from_world.origin_in_source();
  const double u = (x + 0.5 - double(view.camera.cx)) / double(view.camera.fx),
               v = (y + 0.5 - double(view.camera.cy)) / double(view.camera.fy);
  for (double t = 0; t < 14; t += 0.004) {
    Point at{};
    for (size_t c = 0; c < 3; ++c) at[c] = origin[c] + t * (u * r[c] + v * r[3 + c] + r[6 + c]);
    if (box.contains(at)) return true;
  }
  return false;
}

// Rays that graze an edge between two steps may differ: at most a pixel at either end of a row.
TEST(Box, PixelsThatMeetItAreThoseOfItsRays) {
  random::Sequence numbers(5, random::kRandomInit);
  const auto number = [&] { return 2 * double(numbers.uniform()) - 1; };
  int seeing = 0, beside = 0, within = 0;
  for (int trial = 0; trial < 24; ++trial) {
    const Point from{4 * number(), 4 * number(), 4 * number()};
    const View view = view_from(from, quat_about({number(), number(), number()}, 180 * number()));
    const Point middle{3 * number(), 3 * number(), 3 * number()};
    const Box box = box_about(trial % 6 == 0 ? from : middle,  // a camera inside sees it everywhere
                              {0.3 + std::abs(number()), 0.3 + std::abs(number()), 0.3 + std::abs(number())},
                              quat_about({number(), number(), number()}, 180 * number()));
    const auto runs = pixels_that_meet(box, view);
    ASSERT_EQ(runs.size(), 48u);
    sees(runs) ? ++seeing : ++beside;
    within += box.contains(from);
    for (int y = 0; y < 48; y += 9) {
      int differing = 0;
      for (int x = 0; x < 64; ++x) {
        const PixelRun& run = runs[size_t(y)];
        differing += (x >= run.begin && x < run.end) != meets_by_steps(box, view, x, y);
      }
      EXPECT_LE(differing, 2) << "trial " << trial << ", row " << y;
    }
  }
  EXPECT_GT(seeing, 5);
  EXPECT_GT(beside, 5);
  EXPECT_GE(within, 4);
}

TEST(FocusPoint, IsWhereTheAxesMeet) {
  const std::vector<Rigid3> poses{view_from({0, 0, -3}, {1, 0, 0, 0}).cam_from_world,
                                  view_from({3, 0, 0}, quat_about({0, 1, 0}, 90)).cam_from_world};
  const Point focus = focus_point(poses, 1);
  for (const double value : focus) EXPECT_NEAR(value, 0, 1e-12);
  EXPECT_NEAR(mean_distance(poses, focus), 3, 1e-12);
  const Point ahead = focus_point(std::span(poses).first(1), 2);
  EXPECT_NEAR(ahead[2], -1, 1e-12) << "axes that are parallel have no such point";
}

}  // namespace
}  // namespace splat
