#include "splat/math/mean_noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "splat/core/random.h"
#include "splat/math/covariance.h"

namespace splat::math {
namespace {

TEST(MeanNoise, ShareFallsFromTransparentToVisible) {
  EXPECT_NEAR(noise_share(0.005), 0.5, 1e-12);
  EXPECT_NEAR(noise_share(0.0), 1 / (1 + std::exp(-0.5)), 1e-12);
  EXPECT_NEAR(noise_share(0.05), 1 / (1 + std::exp(4.5)), 1e-12);
  EXPECT_EQ(noise_share(0.2), 0.0);
  EXPECT_EQ(noise_share(0.2f), 0.0f);
}

TEST(MeanNoise, NumbersFromBitsAreNormal) {
  random::Sequence numbers(1, random::kTest);
  double sum = 0, squares = 0, fourth = 0;
  constexpr int kCount = 200000;
  for (int i = 0; i < kCount; ++i) {
    const uint32_t a = numbers.next(), b = numbers.next();
    const double x = normal_from_bits<double>(a, b);
    EXPECT_NEAR(normal_from_bits<float>(a, b), x, 2e-4);
    sum += x, squares += x * x, fourth += x * x * x * x;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_NEAR(squares / kCount, 1, 0.02);
  EXPECT_NEAR(fourth / kCount, 3, 0.1);
  for (uint32_t extreme : {0u, ~0u}) EXPECT_TRUE(std::isfinite(normal_from_bits<float>(extreme, extreme)));
}

// The covariance of Sigma xi is Sigma Sigma^T.
TEST(MeanNoise, SpreadsAsTheSquareOfTheCovariance) {
  const Quat<double> quat{0.9, 0.2, -0.3, 0.1};
  const Vec3<double> scale{0.5, 0.1, 0.02};
  const Mat3<double> factor_rows = covariance_factor(rotation_from_quat(quat), scale);
  const auto entry = [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += factor_rows.m[i][k] * factor_rows.m[j][k];
    return sum;
  };
  const Sym3<double> s{entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
  double xx = 0, xy = 0, zz = 0;
  random::Sequence numbers(2, random::kTest);
  constexpr int kCount = 100000;
  for (int i = 0; i < kCount; ++i) {
    uint32_t bits[6];
    for (uint32_t& word : bits) word = numbers.next();
    const Vec3<double> moved = mean_noise<double>(bits, quat, scale, 0.5, 4.0);
    xx += moved.x * moved.x, xy += moved.x * moved.y, zz += moved.z * moved.z;
  }
  const double factor = 0.5 * 4.0 * 0.5 * 4.0;
  EXPECT_NEAR(xx / kCount / factor, s.xx * s.xx + s.xy * s.xy + s.xz * s.xz, 0.03 * s.xx * s.xx);
  EXPECT_NEAR(xy / kCount / factor, s.xx * s.xy + s.xy * s.yy + s.xz * s.yz, 0.03 * s.xx * s.xx);
  EXPECT_NEAR(zz / kCount / factor, s.xz * s.xz + s.yz * s.yz + s.zz * s.zz, 0.03 * (s.xz * s.xz + s.zz * s.zz));
}

}  // namespace
}  // namespace splat::math
