#include "splat/core/half.h"

#include <gtest/gtest.h>

#include <limits>

namespace splat {
namespace {

TEST(Half, EveryFiniteNumberComesBack) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = float_from_half(uint16_t(bits));
    const bool finite = ((bits >> 10) & 31u) != 31;
    EXPECT_EQ(std::isfinite(value), finite) << bits;
    if (finite) {
      EXPECT_EQ(half_from_float(value), bits);
    }
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(float_from_half(0x3c00), 1.0f);
  EXPECT_EQ(half_from_float(1.0f + 0x1p-11f), 0x3c00) << "half-way: to the even one";
  EXPECT_EQ(half_from_float(1.0f + 3 * 0x1p-11f), 0x3c02);
  EXPECT_EQ(half_from_float(1.0f + 0x1.1p-11f), 0x3c01);
  EXPECT_EQ(half_from_float(-0x1p-24f), 0x8001) << "the smallest below zero";
  EXPECT_EQ(float_from_half(half_from_float(1e9f)), 65504.0f);
  EXPECT_EQ(float_from_half(half_from_float(-std::numeric_limits<float>::infinity())), -65504.0f);
}

}  // namespace
}  // namespace splat
