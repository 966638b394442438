#include "splat/core/random.h"

#include <gtest/gtest.h>

namespace splat::random {
namespace {

// Known answers of Philox4x32-10 from the authors' Random123 distribution (kat_vectors).
TEST(Philox, MatchesThePublishedKnownAnswers) {
  const Uint4 zero = philox4x32(0, 0, 0);
  EXPECT_EQ(zero.x, 0x6627e8d5u);
  EXPECT_EQ(zero.y, 0xe169c58du);
  EXPECT_EQ(zero.z, 0xbc57ac4cu);
  EXPECT_EQ(zero.w, 0x9b00dbd8u);
  const Uint4 ones = philox4x32(~0ull, ~0ull, ~0ull);
  EXPECT_EQ(ones.x, 0x408f276du);
  EXPECT_EQ(ones.y, 0x41c83b0eu);
  EXPECT_EQ(ones.z, 0xa20bc7c6u);
  EXPECT_EQ(ones.w, 0x6d5451fdu);
}

TEST(Sequence, HasTheMomentsOfItsDistributions) {
  Sequence sequence(7, kTest);
  double sum = 0, square = 0, uniform = 0;
  const int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double x = sequence.normal();
    sum += x;
    square += x * x;
    uniform += sequence.uniform();
    EXPECT_LT(sequence.below(10), 10u);
  }
  EXPECT_NEAR(sum / n, 0, 0.01);
  EXPECT_NEAR(square / n, 1, 0.02);
  EXPECT_NEAR(uniform / n, 0.5, 0.005);
}

}  // namespace
}  // namespace splat::random
