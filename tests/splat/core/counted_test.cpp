#include "splat/core/counted.h"

#include <gtest/gtest.h>

namespace splat {
namespace {

TEST(Counted, OneIsOneAndAllElseIsMany) {
  EXPECT_EQ(counted(0, "splat"), "0 splats");
  EXPECT_EQ(counted(1, "splat"), "1 splat");
  EXPECT_EQ(counted(2, "splat"), "2 splats");
  EXPECT_EQ(counted(1, "splat starts", "splats start"), "1 splat starts");
  EXPECT_EQ(counted(3, "splat starts", "splats start"), "3 splats start");
  EXPECT_EQ(noun(1, "is", "are"), "is");
}

}  // namespace
}  // namespace splat
