// Floats far from 0: their steps.
#include "splat/core/float_step.h"

#include <gtest/gtest.h>

namespace splat {
namespace {

TEST(FloatStep, IsTheWayToTheNextFloat) {
  for (const float value : {1.0f, 1.5f, 3e-5f, -200.0f, 5456000.0f, 1e30f})
    EXPECT_EQ(float_step(value), std::abs(double(std::nextafter(value, 2 * value)) - value)) << value;
}

TEST(FloatStep, IsCoarseByWhatIsShown) {
  EXPECT_TRUE(floats_are_coarse(5456000, 10));
  EXPECT_FALSE(floats_are_coarse(5456000, 10000));
  EXPECT_FALSE(floats_are_coarse(1, 2));
  for (const double nothing : {0.0, -1.0}) {
    EXPECT_FALSE(floats_are_coarse(5456000, nothing));
    EXPECT_FALSE(floats_are_coarse(nothing, 10));
  }
}

}  // namespace
}  // namespace splat
