#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/library/some_splats.h"

namespace {

TEST(LibraryPoints, DistancesAreThoseOfEveryPairTried) {
  const std::vector<float> points = hs_test::some_splats(200, 0).means;
  std::vector<float> result(200);
  ASSERT_EQ(hs_knn_mean_squared_distances(points.data(), 200, 3, 0, result.data()), HS_OK) << hs_error();
  for (size_t i = 0; i < 200; ++i) {
    std::vector<double> squared;
    for (size_t j = 0; j < 200; ++j) {
      double sum = 0;
      for (size_t axis = 0; axis < 3; ++axis) {
        const double apart = double(points[3 * i + axis]) - double(points[3 * j + axis]);
        sum += apart * apart;
      }
      if (i != j) squared.push_back(sum);
    }
    std::sort(squared.begin(), squared.end());
    EXPECT_NEAR(result[i], (squared[0] + squared[1] + squared[2]) / 3, 1e-5) << i;
  }
}

TEST(LibraryPoints, FewPointsAndWrongOnes) {
  float result[2] = {7, 7};
  const float points[6] = {0, 0, 0, 0, 3, 4};
  EXPECT_EQ(hs_knn_mean_squared_distances(nullptr, 0, 3, 1, nullptr), HS_OK);
  EXPECT_EQ(hs_knn_mean_squared_distances(points, 1, 3, 1, result), HS_OK);
  EXPECT_EQ(result[0], 0);
  EXPECT_EQ(hs_knn_mean_squared_distances(points, 2, 3, 1, result), HS_OK);
  EXPECT_EQ(result[1], 25);
  EXPECT_EQ(hs_knn_mean_squared_distances(nullptr, 2, 3, 1, result), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_knn_mean_squared_distances(points, 2, 3, 1, nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_knn_mean_squared_distances(points, 2, 0, 1, result), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_knn_mean_squared_distances(points, 2, 3, -1, result), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_knn_mean_squared_distances(points, UINT64_MAX / 2, 3, 1, result), HS_ERROR_ARGUMENT);
  const float nan[6] = {0, 0, 0, 0, std::numeric_limits<float>::quiet_NaN(), 4};
  EXPECT_EQ(hs_knn_mean_squared_distances(nan, 2, 3, 1, result), HS_ERROR_ARGUMENT);
  EXPECT_STREQ(hs_error(), "points are not finite");
}

}  // namespace
