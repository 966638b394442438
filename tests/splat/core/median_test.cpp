#include "splat/core/median.h"

#include <gtest/gtest.h>

namespace splat {
namespace {

TEST(Median, IsTheMiddleOneTheUpperOfTwoAndZeroOfNone) {
  EXPECT_EQ(median<double>({}), 0);
  EXPECT_EQ(median<float>({3}), 3);
  EXPECT_EQ(median<int>({9, 1, 5}), 5);
  EXPECT_EQ(median<int>({4, 1, 3, 2}), 3);
}

}  // namespace
}  // namespace splat
