#include "splat/math/dropout.h"

#include <gtest/gtest.h>

#include <cmath>

namespace splat::math {
namespace {

TEST(Dropout, LeavesOutItsShareAndMakesUpForIt) {
  constexpr uint32_t kRows = 200'000;
  for (const uint32_t share : {0u, 26u, 51u, 128u, 230u}) {
    const Dropout dropout{.share = share, .iteration = 9, .seed = 4};
    uint32_t drawn = 0;
    for (uint32_t row = 0; row < kRows; ++row) drawn += is_drawn(dropout, row) ? 1 : 0;
    const double expected = 1 - share / 256.0;
    EXPECT_NEAR(drawn / double(kRows), expected, 5 * std::sqrt(expected * (1 - expected) / kRows)) << share;
    EXPECT_FLOAT_EQ(dropout_factor(dropout), float(1 / expected)) << share;
  }
}

TEST(Dropout, BlocksAndRowsAgree) {
  const Dropout dropout{.share = 100, .iteration = 3, .seed = 8};
  for (uint32_t row = 0; row < 1000; ++row)
    EXPECT_EQ(is_drawn(dropout, row), (drawn_rows(dropout, row / kDropoutRows) >> row % kDropoutRows & 1) != 0) << row;
}

TEST(Dropout, EveryIterationAndSeedHasItsOwn) {
  const auto drawn = [](uint32_t iteration, uint64_t seed) {
    return drawn_rows({.share = 128, .iteration = iteration, .seed = seed}, 7);
  };
  EXPECT_EQ(drawn(1, 1), drawn(1, 1));
  int same = 0;
  for (uint32_t i = 2; i < 100; ++i) same += (drawn(i, 1) == drawn(1, 1)) + (drawn(1, i) == drawn(1, 1));
  EXPECT_LE(same, 1);
}

}  // namespace
}  // namespace splat::math
