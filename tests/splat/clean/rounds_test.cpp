// What is said of a clean-up's rounds before it is known how many there are.
#include <gtest/gtest.h>

#include "splat/clean/proposal.h"

namespace splat::clean {
namespace {

TEST(CleanRounds, TheShareRisesToTheLastRoundThatThereMayBe) {
  for (const Strength strength : {Strength::kCareful, Strength::kNormal, Strength::kStrong}) {
    double before = 0;
    for (int round = 1; round <= 12; ++round)
      for (const double within : {0.1, 0.5, 1.0}) {
        const double share = share_of_rounds(round, within, strength);
        EXPECT_GT(share, before) << name_of(strength) << " " << round << " " << within;
        before = share;
      }
    EXPECT_NEAR(before, 1, 1e-9);
  }
  EXPECT_NEAR(share_of_rounds(4, 0, Strength::kStrong), 3.0 / 7, 1e-9) << "limits 16 to 0.5, and one more";
}

}  // namespace
}  // namespace splat::clean
