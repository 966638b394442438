#include "splat/densify/near_rows.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/splat/densify/cameras_and_rows.h"

namespace splat::near_rows_test {
namespace {

using test::camera_at;

TEST(NearRows, TheNearestShareGrowsLessWithTheSquareOfItsDistance) {
  // Distances to the nearest of two cameras, 0 and 100: 1, 2, 3 ... 10.
  std::vector<std::array<float, 3>> means;
  for (int i = 1; i <= 10; ++i) means.push_back({i % 2 == 0 ? float(i) : 100.0f - float(i), 0, 0});
  const std::vector<View> views{camera_at(0, 0), camera_at(100, 0)};
  const std::vector<float> factor = growth_by_distance(test::at(means), views, 0.5);
  ASSERT_EQ(factor.size(), 10u);
  for (size_t i = 0; i < 10; ++i) {
    const float share = std::min(1.0f, float(i + 1) / 5);  // four of the ten are nearer than 5
    EXPECT_FLOAT_EQ(factor[i], share * share);
  }
}

TEST(NearRows, WithoutAShareOrCamerasAllGrowAlike) {
  const Gaussians rows = test::at({{1, 0, 0}, {2, 0, 0}, {3, 0, 0}});
  const std::vector<float> all(3, 1.0f);
  EXPECT_EQ(growth_by_distance(rows, std::vector<View>{camera_at(0, 0)}, 0), all);
  EXPECT_EQ(growth_by_distance(rows, {}, 0.5), all);
  EXPECT_EQ(growth_by_distance(test::at({}), std::vector<View>{camera_at(0, 0)}, 0.5), std::vector<float>());
  EXPECT_EQ(growth_by_distance(test::at({{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}), std::vector<View>{camera_at(0, 0)}, 0.5),
            all)
      << "most of them stand in a camera";
}

TEST(NearRows, RowsThatAreNowhereAreFar) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> factor = growth_by_distance(test::at({{nan, 0, 0}, {1, 0, 0}, {2, 0, 0}, {inf, 0, 0}}),
                                                       std::vector<View>{camera_at(0, 0)}, 0.5);
  EXPECT_EQ(factor, (std::vector<float>{1, 0.25f, 1, 1}));
  EXPECT_EQ(growth_by_distance(test::at({{nan, 0, 0}, {1, 0, 0}, {2, 0, 0}}), std::vector<View>{camera_at(0, 0)}, 1),
            (std::vector<float>{1, 0.25f, 1}))
      << "the farthest that is somewhere, and not the one that is nowhere";
}

}  // namespace
}  // namespace splat::near_rows_test
