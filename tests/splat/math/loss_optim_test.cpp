// SSIM of a pixel and Adam.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "splat/math/adam.h"
#include "splat/math/ssim.h"
#include "tests/support/finite_differences.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

using namespace math;

TEST(Ssim, WindowIsANormalisedGaussian) {
  double window[kSsimWindow], sum = 0;
  ssim_window(window);
  for (int i = 0; i < kSsimWindow; ++i) {
    sum += window[i];
    EXPECT_EQ(window[i], window[kSsimWindow - 1 - i]);
    EXPECT_NEAR(window[i] / window[5], std::exp(-(i - 5) * (i - 5) / 4.5), 1e-15);
  }
  EXPECT_NEAR(sum, 1, 1e-15);
}

SsimMoments<double> random_moments(RandomValues& random) {
  SsimMoments<double> m;
  m.mu1 = random.uniform(0, 1), m.mu2 = random.uniform(0, 1);
  const double s1 = random.uniform(1e-4, 0.1), s2 = random.uniform(1e-4, 0.1);
  m.e11 = m.mu1 * m.mu1 + s1, m.e22 = m.mu2 * m.mu2 + s2;
  m.e12 = m.mu1 * m.mu2 + random.uniform(-1, 1) * std::sqrt(s1 * s2);
  return m;
}

TEST(Ssim, MatchesTheDefinition) {
  RandomValues random(1);
  for (int i = 0; i < 50; ++i) {
    const auto m = random_moments(random);
    const double s1 = m.e11 - m.mu1 * m.mu1, s2 = m.e22 - m.mu2 * m.mu2, s12 = m.e12 - m.mu1 * m.mu2;
    const double expected =
        (2 * m.mu1 * m.mu2 + 1e-4) * (2 * s12 + 9e-4) / ((m.mu1 * m.mu1 + m.mu2 * m.mu2 + 1e-4) * (s1 + s2 + 9e-4));
    EXPECT_NEAR(ssim(m), expected, 1e-12);
    EXPECT_NEAR(ssim_with_partials(m).value, expected, 1e-12);
  }
  EXPECT_NEAR(ssim(SsimMoments<double>{0.3, 0.3, 0.2, 0.2, 0.2}), 1, 1e-14);  // equal images
}

TEST(Ssim, PartialsMatchDifferences) {
  RandomValues random(2);
  for (int i = 0; i < 100; ++i) {
    const auto m = random_moments(random);
    const auto p = ssim_with_partials(m);
    auto f = [&](const std::vector<double>& x) { return ssim(SsimMoments<double>{x[0], m.mu2, x[1], m.e22, x[2]}); };
    expect_gradients_near({p.by_mu1, p.by_e11, p.by_e12}, central_differences(f, {m.mu1, m.e11, m.e12}, 1e-6), 1e-6);
  }
}

TEST(Ssim, FloatAgreesWithDouble) {
  RandomValues random(3);
  for (int i = 0; i < 100; ++i) {
    const auto m = random_moments(random);
    const auto p = ssim_with_partials(m);
    const auto q =
        ssim_with_partials(SsimMoments<float>{float(m.mu1), float(m.mu2), float(m.e11), float(m.e22), float(m.e12)});
    EXPECT_NEAR(q.value, p.value, 1e-3);
    EXPECT_NEAR(q.by_e12, p.by_e12, 2e-3 * std::abs(p.by_e12));
  }
}

// Algorithm 1 of the paper, written out.
TEST(Adam, MatchesTheTextbook) {
  RandomValues random(4);
  const double rate = 0.01, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-15;
  double p = 0.5, m = 0, v = 0, expected = 0.5, expected_m = 0, expected_v = 0;
  float pf = 0.5f, mf = 0, vf = 0;
  for (int t = 1; t <= 60; ++t) {
    const double g = t == 7 ? 0 : random.normal();
    expected_m = beta1 * expected_m + (1 - beta1) * g;
    expected_v = beta2 * expected_v + (1 - beta2) * g * g;
    const double corrected_m = expected_m / (1 - std::pow(beta1, t));
    const double corrected_v = expected_v / (1 - std::pow(beta2, t));
    expected -= rate * corrected_m / (std::sqrt(corrected_v) + epsilon);
    const double step = adam_step_size(rate, beta1, t);
    adam_step(p, m, v, g, adam_coefficients<double>(beta1, beta2, epsilon, t), step);
    adam_step(pf, mf, vf, float(g), adam_coefficients<float>(beta1, beta2, epsilon, t), float(step));
    ASSERT_NEAR(p, expected, 1e-13);
    ASSERT_NEAR(m, expected_m, 1e-15);
    ASSERT_NEAR(v, expected_v, 1e-15);
    ASSERT_NEAR(pf, expected, 2e-6);
  }
}

TEST(Adam, FirstStepIsTheRateWhateverTheGradient) {
  for (float g : {1e-12f, 1e-3f, -40.0f}) {
    float p = 0, m = 0, v = 0;
    adam_step(p, m, v, g, adam_coefficients<float>(0.9, 0.999, 1e-15, 1), float(adam_step_size(0.1, 0.9, 1)));
    EXPECT_NEAR(p, g > 0 ? -0.1f : 0.1f, 1e-4f) << g;
  }
}

// A pause at once, and each of its steps.
TEST(Adam, APauseIsItsSteps) {
  const double rate = 0.01, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-15;
  for (const int seen : {1, 2, 40, 3000})
    for (const int missed : {1, 2, 30, 1000}) {
      double p = 0.5, m = 0.2, v = 0.3, expected = 0.5, expected_m = 0.2, expected_v = 0.3, moved = 0;
      for (int j = 1; j <= missed; ++j) {
        const int t = seen + j;
        adam_step(expected, expected_m, expected_v, 0.0, adam_coefficients<double>(beta1, beta2, epsilon, t),
                  adam_step_size(rate, beta1, t));
        moved += rate * adam_pause_weight(beta1, beta2, t) * std::pow(adam_pause_ratio(beta1, beta2), j);
      }
      const auto k = adam_coefficients<double>(beta1, beta2, epsilon, seen + missed + 1);
      adam_pause(p, m, v, adam_pause(double(missed), k), moved, k);
      EXPECT_NEAR(p, expected, 1e-12) << seen << ' ' << missed;
      EXPECT_NEAR(m, expected_m, 1e-15) << seen << ' ' << missed;
      EXPECT_NEAR(v, expected_v, 1e-12) << seen << ' ' << missed;
    }
}

TEST(Adam, APauseOfNothingChangesNothing) {
  const auto k = adam_coefficients<float>(0.9, 0.999, 1e-15, 40);
  float p = 0.25f, m = 0.1f, v = 0.03f;
  adam_pause(p, m, v, adam_pause(0.0f, k), 0.0f, k);
  EXPECT_EQ(p, 0.25f);
  EXPECT_EQ(m, 0.1f);
  EXPECT_EQ(v, 0.03f);
  m = v = 0;
  adam_pause(p, m, v, adam_pause(1e6f, k), 0.1f, k);  // nor one of moments that are zero
  EXPECT_EQ(p, 0.25f);
}

TEST(Adam, ZeroGradientAndMomentsChangeNothing) {
  float p = 0.25f, m = 0, v = 0;
  adam_step(p, m, v, 0.0f, adam_coefficients<float>(0.9, 0.999, 1e-15, 3), 0.1f);
  EXPECT_EQ(p, 0.25f);
  EXPECT_EQ(m, 0.0f);
  EXPECT_EQ(v, 0.0f);
}

// On average over iterations a packed moment is what it should be; what bfloat16 holds exactly stays.
TEST(Adam, PackedMomentsAreRightOnAverage) {
  const float values[][2] = {{0.7f, 0.3f}, {-1.2345e-7f, 3.21e-12f}, {1e-20f, 1e-38f}, {-0.5f, 0.25f}, {0, 0}};
  constexpr int kIterations = 20000;
  for (const auto& [first, second] : values) {
    double sum[2] = {0, 0};
    for (int i = 1; i <= kIterations; ++i) {
      const uint32_t packed = packed_moments(word_bits(first), word_bits(second),
                                             rounding_bits(splat_rounding(uint32_t(77), rounding_of(9, i)), 3u));
      sum[0] += double(first_moment<float>(packed)), sum[1] += double(second_moment<float>(packed));
    }
    EXPECT_NEAR(sum[0] / kIterations, double(first), 1e-4 * std::abs(double(first)));
    EXPECT_NEAR(sum[1] / kIterations, double(second), 1e-4 * double(second));
  }
}

// A second moment that falls by a thousandth a step falls, though its neighbours lie a 128th apart.
TEST(Adam, PackedMomentsFall) {
  float p = 0;
  uint32_t packed = packed_moments(word_bits(0.0f), word_bits(1.0f), uint32_t(0));
  for (int i = 1; i <= 2000; ++i)
    packed_adam_step(p, packed, 0.0f, adam_coefficients<float>(0.9, 0.999, 1e-15, i), 0.0f,
                     rounding_bits(splat_rounding(uint32_t(5), rounding_of(1, i)), 7u));
  EXPECT_NEAR(second_moment<float>(packed), std::pow(0.999, 2000), 0.03);
}

}  // namespace
}  // namespace splat::test
