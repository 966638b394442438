#include "splat/densify/path_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "splat/core/percentile.h"
#include "splat/model/pixel.h"
#include "tests/splat/densify/cameras_and_rows.h"

namespace splat::path_rows_test {
namespace {

using Rows = std::vector<uint32_t>;
using Mean = std::array<float, 3>;
using test::camera_at;

Rows in_paths(const std::vector<Mean>& means, const std::vector<View>& views, double nearer = 3) {
  return rows_in_paths(test::at(means), views, nearer);
}

// Five in a row at z = 10 look away from two pairs, which look there from z = 0.
const std::vector<View> kFiveAway{camera_at(-2, 10), camera_at(-1, 10), camera_at(0, 10),
                                  camera_at(1, 10),  camera_at(2, 10),  camera_at(-2, 0),
                                  camera_at(-1, 0),  camera_at(0, 0),   camera_at(1, 0)};

TEST(PathRows, WhatStandsBetweenNeighboursAndIsSeenFromAfarAlone) {
  EXPECT_EQ(in_paths({{0.5f, 0, 9.99f},       // between two
                      {-1.5f, 0.19f, 9.95f},  // 0.2 of the length beside the way
                      {0.5f, 0.9f, 9.99f},    // farther than that of the longest, 4
                      {2.05f, 0, 9.99f},      // beyond the last one
                      {0.5f, 0, 10.6f},       // before them: their own photos show it
                      {0.5f, 0, 5}},          // not there
                     kFiveAway),
            (Rows{0, 1}));
}

TEST(PathRows, WhatACameraCloseByHasInFrameStays) {
  std::vector<View> views = kFiveAway;
  views.push_back(camera_at(0.5f, 8.7f));  // 1.29 away, the nearest 0.5
  EXPECT_EQ(in_paths({{0.5f, 0, 9.99f}}, views, 3), Rows{});
  EXPECT_EQ(in_paths({{0.5f, 0, 9.99f}}, views, 2), Rows{0});
}

TEST(PathRows, WhatNoPhotoHasInFrameStandsInTheWayToo) {
  EXPECT_EQ(in_paths({{0.5f, 0, 9.99f}}, {camera_at(0, 10), camera_at(1, 10)}), Rows{0});
}

TEST(PathRows, WithoutTwoPlacesThereIsNoWay) {
  EXPECT_EQ(in_paths({{0, 0, 0}}, {}), Rows{});
  EXPECT_EQ(in_paths({{0, 0, 0}}, {camera_at(0, 10)}), Rows{});
  EXPECT_EQ(in_paths({{0, 0, 9.99f}}, {camera_at(0, 10), camera_at(0, 10)}), Rows{});
  std::vector<View> rig(8, camera_at(0, 10));  // and another one: the way from each of them
  rig.push_back(camera_at(1, 10));
  EXPECT_EQ(in_paths({{0.5f, 0, 9.99f}}, rig), Rows{0});
}

TEST(PathRows, ACameraPlacedWrongHasNoWayToTheOthers) {
  std::vector<View> views = kFiveAway;
  views.push_back(camera_at(0, 1000));
  EXPECT_EQ(in_paths({{0.5f, 0, 9.99f}, {0, 3, 12}}, views), Rows{0});
}

// The same as without a grid, by the definition.
TEST(PathRows, EveryRowIsComparedWithEveryWay) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> anywhere(-4, 4);
  std::vector<View> views;
  for (int i = 0; i < 40; ++i) views.push_back(camera_at(anywhere(random), anywhere(random), i % 2 == 0));
  std::vector<Mean> means(3000);
  for (Mean& mean : means) mean = {anywhere(random), 0.1f * anywhere(random), anywhere(random)};
  const auto centre = [&](size_t i) { return views[i].cam_from_world.origin_in_source(); };
  const auto distance = [](const std::array<double, 3>& a, const std::array<double, 3>& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  };
  std::vector<std::pair<size_t, size_t>> ways;  // from each to the six nearest
  std::vector<double> lengths;
  for (size_t i = 0; i < views.size(); ++i) {
    std::vector<std::pair<double, size_t>> others;
    for (size_t j = 0; j < views.size(); ++j)
      if (j != i) others.emplace_back(distance(centre(i), centre(j)), j);
    std::sort(others.begin(), others.end());
    for (size_t k = 0; k < 6; ++k) ways.emplace_back(i, others[k].second), lengths.push_back(others[k].first);
  }
  const double longest = kLongestPath * median(lengths);
  Rows expected;
  for (uint32_t row = 0; row < means.size(); ++row) {
    const std::array<double, 3> p{means[row][0], means[row][1], means[row][2]};
    bool in_way = false;
    double nearest = 1e9, nearest_seeing = 1e9;
    for (size_t i = 0; i < views.size(); ++i) {
      nearest = std::min(nearest, distance(centre(i), p));
      const auto pixel = pixel_of(views[i], p);
      if (pixel && is_in_frame(views[i].camera, *pixel))
        nearest_seeing = std::min(nearest_seeing, distance(centre(i), p));
    }
    for (const auto& [i, j] : ways) {
      // In a triangle with both, its height, and no blunt angle at either.
      const auto a = centre(i), b = centre(j);
      const double ab = distance(a, b), ap = distance(a, p), bp = distance(b, p), half = (ab + ap + bp) / 2;
      const double height = 2 * std::sqrt(std::max(half * (half - ab) * (half - ap) * (half - bp), 0.0)) / ab;
      in_way |=
          ab <= longest && height < kPathRadius * ab && bp * bp < ap * ap + ab * ab && ap * ap < bp * bp + ab * ab;
    }
    if (in_way && nearest_seeing > 3 * nearest) expected.push_back(row);
  }
  EXPECT_GT(expected.size(), 20u);
  EXPECT_EQ(in_paths(means, views), expected);
}

}  // namespace
}  // namespace splat::path_rows_test
