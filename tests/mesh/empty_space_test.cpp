// Where views show nothing: what is kept of it, and what that does to surfaces and colours.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "mesh/depth_map.h"
#include "mesh/free_space.h"
#include "mesh/picture_place.h"
#include "splat/core/parallel.h"

namespace mesh {
namespace {

constexpr int kSize = 24;

// From `z` along the axis, or from behind: a square of 8x8 px at the origin, beside which nothing is.
DepthMap square(double z) {
  DepthMap map;
  map.view.camera = {kSize, kSize, kSize, kSize, kSize / 2.0f, kSize / 2.0f};
  if (z > 0) map.view.cam_from_world.rotation = {-1, 0, 0, 0, 1, 0, 0, 0, -1};
  map.view.cam_from_world.translation = {0, 0, std::abs(z)};
  std::vector<uint8_t> empty;
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      empty.push_back(std::abs(x - 11.5) > 4 || std::abs(y - 11.5) > 4);
      map.depth.push_back(empty.back() ? 0 : float(std::abs(z)));
    }
  mark_empty(map, empty);
  return map;
}

TEST(EmptySpace, BeginsTwoPixelsBesideWhatIsThere) {
  const DepthMap map = square(-3);
  EXPECT_EQ(map.at(7, 12), 0) << "beside the square";
  EXPECT_EQ(map.at(6, 12), 0);
  EXPECT_EQ(map.at(5, 12), kNothing);
  EXPECT_EQ(map.at(5, 0), kNothing);
  EXPECT_EQ(map.at(6, 6), 0);
  EXPECT_EQ(map.at(12, 12), 3);
  EXPECT_EQ(depth_at(map, 3, 3, 0.03f), kNothing);
}

TEST(EmptySpace, StaysWhatItIsWhenDepthsAreComparedAndSmoothed) {
  std::vector<DepthMap> maps{square(-3), square(-3.1), square(3)};
  splat::ThreadPool pool(2);
  smooth_depths(maps, {}, pool);
  drop_unreliable(maps, {.confirm = 0.05f}, pool);
  EXPECT_EQ(maps[0].at(5, 12), kNothing);
  EXPECT_EQ(maps[0].at(7, 12), 0);
  EXPECT_GT(maps[0].at(12, 12), 2.9f);
}

TEST(EmptySpace, IsLookedThrough) {
  const std::vector<DepthMap> maps{square(-3), square(3)};
  EXPECT_TRUE(is_seen_free(maps, {1, 0, 0}, 0.1f));
  EXPECT_FALSE(is_seen_free(maps, {0, 0, 0}, 0.1f));
  EXPECT_FALSE(is_seen_free(maps, {0.7f, 0, 0}, 0.1f)) << "not known";
}

TEST(EmptySpace, TakesTheNearestColour) {
  splat::ImageF picture{40, 30, std::vector<float>(3 * 1200, 0)};
  std::vector<uint8_t> known(1200, 0);
  const std::array<std::array<int, 2>, 4> places{{{5, 4}, {31, 9}, {12, 25}, {36, 28}}};
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t at = size_t(40 * places[i][1] + places[i][0]);
    known[at] = 1;
    for (size_t c = 0; c < 3; ++c) picture.rgb[1200 * c + at] = 0.1f * float(i + 1) + float(c);
  }
  spread_colours(picture, known);
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 40; ++x) {
      const auto distance = [&](const std::array<int, 2>& p) { return std::hypot(p[0] - x, p[1] - y); };
      const auto nearest = std::min_element(places.begin(), places.end(),
                                            [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
      const float red = picture.rgb[size_t(40 * y + x)];
      const size_t taken = size_t(std::lround(10 * red)) - 1;
      ASSERT_LT(taken, places.size());
      EXPECT_LE(distance(places[taken]), distance(*nearest) + 1) << x << " " << y;
      EXPECT_FLOAT_EQ(picture.rgb[size_t(2400 + 40 * y + x)], red + 2);
    }
}

}  // namespace
}  // namespace mesh
