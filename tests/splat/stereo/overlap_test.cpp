#include "splat/stereo/overlap.h"

#include <gtest/gtest.h>

#include "tests/splat/stereo/textured_wall.h"

namespace splat::stereo {
namespace {

using Point = std::array<double, 3>;

// `rows` x 10 points at depths that rise from 4 to 6.
std::vector<Point> wall_points(int rows) {
  std::vector<Point> points;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < 10; ++column)
      points.push_back({-1 + column / 4.5, -0.9 + 1.8 * row / rows, 4 + 2 * (row * 10 + column) / (rows * 10.0)});
  return points;
}

std::vector<View> cameras(std::initializer_list<double> places) {
  std::vector<View> views;
  for (const double x : places) views.push_back(test::camera_at(x));
  return views;
}

TEST(Overlap, ThoseSixDegreesAsideTellMost) {
  ThreadPool pool(2);
  // From 5 away one degree is 0.087: at 0.02, 0.5 (5.7 degrees), 1 and 2.2.
  const std::vector<View> views = cameras({0, 0.02, 0.5, 1, 2.2});
  const std::vector<Overlap> all = overlaps(views, wall_points(10), 3, pool);
  ASSERT_EQ(all.size(), 5u);
  ASSERT_EQ(all[0].others.size(), 3u) << "as many as asked for";
  EXPECT_EQ(all[0].others[0], 2u);
  EXPECT_EQ(all[0].others[1], 3u);
  EXPECT_EQ(overlaps(views, wall_points(10), 1, pool)[0].others, std::vector<size_t>{2});
}

TEST(Overlap, DepthsReachBeyondThePoints) {
  ThreadPool pool(1);
  const Overlap overlap = overlaps(cameras({0, 0.5}), wall_points(10), 3, pool)[0];
  EXPECT_NEAR(overlap.near, 0.7 * 4, 0.1);
  EXPECT_NEAR(overlap.far, 3 * 6, 0.2);
}

TEST(Overlap, NothingIsToldByFewPointsOrByPhotosOfOtherThings) {
  ThreadPool pool(1);
  std::vector<View> views = cameras({0, 0.5});
  std::vector<Point> nine = wall_points(1);
  nine.pop_back();
  const std::vector<Overlap> few = overlaps(views, nine, 3, pool);
  EXPECT_TRUE(few[0].others.empty());
  EXPECT_EQ(few[0].far, 0);
  views[1].cam_from_world.rotation = {-1, 0, 0, 0, 1, 0, 0, 0, -1};  // looks the other way
  EXPECT_TRUE(overlaps(views, wall_points(10), 3, pool)[0].others.empty());
  EXPECT_TRUE(overlaps({}, wall_points(10), 3, pool).empty());
}

}  // namespace
}  // namespace splat::stereo
