#include "splat/core/percentile.h"

#include <gtest/gtest.h>

#include <vector>

namespace splat {
namespace {

TEST(Median, IsTheMiddleOneTheUpperOfTwoAndZeroOfNone) {
  EXPECT_EQ(median<double>({}), 0);
  EXPECT_EQ(median<float>({3}), 3);
  EXPECT_EQ(median<int>({9, 1, 5}), 5);
  EXPECT_EQ(median<int>({4, 1, 3, 2}), 3);
}

TEST(Percentile, IsTheLowerNeighbourOfItsPlace) {
  std::vector<int> values{50, 10, 40, 20, 30};
  EXPECT_EQ(percentile(values, 0), 10);
  EXPECT_EQ(percentile(values, 0.3), 20);
  EXPECT_EQ(percentile(values, 0.99), 40);
  EXPECT_EQ(percentile(values, 1), 50);
  EXPECT_EQ(nth_value(values, 2), 30);
}

}  // namespace
}  // namespace splat
