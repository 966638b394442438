#include "splat/core/steady_rest.h"

#include <gtest/gtest.h>

#include <array>

namespace splat {
namespace {

// As they came while cameras of 15 photos were found: 28 s, 1:13, 0:49, 2:29, 9:45, and 20 s later all was done.
TEST(SteadyRest, EstimatesThatLeapAreFollowedSlowlyAndTheShareNeverFalls) {
  constexpr std::array<double, 7> kEstimates{28, 73, 49, 149, 585, 20, 0};
  SteadyRest rest;
  double before = 0, share = 0;
  for (size_t i = 0; i < 70; ++i) {
    const double at = 5 + double(i);
    rest.update(at, kEstimates[i / 10]);
    if (i == 0) {
      EXPECT_EQ(rest.rest(), 28);
    }
    if (i > 0) {
      EXPECT_LE(rest.rest(), 1.1 * before + 1) << at;
    }
    EXPECT_GE(rest.rest(), 0);
    EXPECT_GE(rest.share(), share) << at;
    EXPECT_LE(rest.share(), 1);
    before = rest.rest(), share = rest.share();
  }
}

TEST(SteadyRest, AGoodEstimateRunsDownAsAClockDoes) {
  SteadyRest rest;
  for (int at = 0; at <= 100; ++at) {
    rest.update(at, 100 - at);
    EXPECT_NEAR(rest.rest(), 100 - at, 1e-9);
    EXPECT_NEAR(rest.share(), at / 100.0, 1e-9);
  }
}

TEST(SteadyRest, ABadFirstEstimateIsForgotten) {
  SteadyRest rest;
  rest.update(0, 10);
  for (int at = 1; at <= 90; ++at) rest.update(at, 600 - at);
  EXPECT_NEAR(rest.rest(), 510, 60);
  EXPECT_LT(rest.share(), 0.3);
}

}  // namespace
}  // namespace splat
