#include "splat/registration/pairs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "splat/math/symmetric_eigen.h"
#include "tests/support/random_values.h"

namespace splat::registration {
namespace {

using test::RandomValues;
using Point = std::array<double, 3>;

std::vector<PointPair> pairs_of(const Similarity& motion, size_t count, RandomValues& random, double noise = 0) {
  std::vector<PointPair> pairs(count);
  for (PointPair& pair : pairs) {
    pair.from = {random.normal(), 2 * random.normal(), random.normal()};
    pair.to = motion * pair.from;
    for (double& x : pair.to) x += noise * random.normal();
  }
  return pairs;
}

double squares(const std::vector<PointPair>& pairs, const Similarity& motion) {
  double sum = 0;
  for (const PointPair& pair : pairs) {
    const Point at = motion * pair.from;
    for (size_t c = 0; c < 3; ++c) sum += (at[c] - pair.to[c]) * (at[c] - pair.to[c]);
  }
  return sum;
}

void expect_same_motion(const Similarity& a, const Similarity& b, double tolerance) {
  for (const Point& p : {Point{0, 0, 0}, Point{1, 0, 0}, Point{0, 1, 0}, Point{0, 0, 1}})
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR((a * p)[c], (b * p)[c], tolerance);
}

TEST(SymmetricEigen, VectorsTimesValuesAreTheMatrix) {
  RandomValues random(5);
  math::SymmetricMatrix<5> a{};
  for (size_t i = 0; i < 5; ++i)
    for (size_t j = i; j < 5; ++j) a[i][j] = a[j][i] = random.normal();
  const auto eigen = math::symmetric_eigen(a);
  for (size_t i = 0; i < 5; ++i)
    for (size_t j = 0; j < 5; ++j) {
      double sum = 0, product = 0;
      for (size_t k = 0; k < 5; ++k) {
        sum += eigen.values[k] * eigen.vectors[k][i] * eigen.vectors[k][j];
        product += eigen.vectors[i][k] * eigen.vectors[j][k];
      }
      EXPECT_NEAR(sum, a[i][j], 1e-13);
      EXPECT_NEAR(product, i == j, 1e-13);
    }
  EXPECT_TRUE(std::is_sorted(eigen.values.rbegin(), eigen.values.rend()));
}

TEST(FitPairs, FindsTheMotionThatMadeThem) {
  RandomValues random(1);
  for (int round = 0; round < 50; ++round) {
    const auto axis = random.unit();
    const Similarity motion{std::exp(random.normal()),
                            quat_about({axis.x, axis.y, axis.z}, random.uniform(-180, 180)),
                            {random.normal(), 10 * random.normal(), random.normal()}};
    const auto fit = fit_pairs(pairs_of(motion, 3 + size_t(round % 5), random), true);
    ASSERT_TRUE(fit.ok());
    expect_same_motion(fit->to_from, motion, 1e-9);
    EXPECT_LT(fit->rms, 1e-9);
  }
}

TEST(FitPairs, RigidOnesKeepTheSize) {
  RandomValues random(2);
  const Similarity motion{2, quat_about({1, 1, 0}, 70), {1, 2, 3}};
  const auto fit = fit_pairs(pairs_of(motion, 6, random), false);
  ASSERT_TRUE(fit.ok());
  EXPECT_EQ(fit->to_from.scale, 1);
  EXPECT_GT(fit->rms, 0.1) << "they are not as far apart";
}

// No motion nearby has smaller squares.
TEST(FitPairs, OfPairsWithNoiseItIsTheLeastSquares) {
  RandomValues random(3);
  const Similarity motion{1.3, quat_about({1, -1, 2}, 50), {1, 2, 3}};
  const std::vector<PointPair> pairs = pairs_of(motion, 8, random, 0.1);
  for (const bool with_scale : {false, true}) {
    const auto fit = fit_pairs(pairs, with_scale);
    ASSERT_TRUE(fit.ok());
    const double least = squares(pairs, fit->to_from);
    EXPECT_NEAR(fit->rms, std::sqrt(least / 8), 1e-12);
    for (int round = 0; round < 200; ++round) {
      const auto axis = random.unit();
      Similarity other = Similarity{1, quat_about({axis.x, axis.y, axis.z}, 0.5 * random.normal())} * fit->to_from;
      for (double& x : other.translation) x += 0.01 * random.normal();
      if (with_scale) other.scale *= std::exp(0.01 * random.normal());
      EXPECT_GT(squares(pairs, other), least);
    }
  }
}

// A mirror image is laid on as well as a turn can: never by mirroring.
TEST(FitPairs, NeverMirrors) {
  RandomValues random(4);
  std::vector<PointPair> pairs = pairs_of({}, 6, random);
  for (PointPair& pair : pairs) pair.to[0] = -pair.to[0];
  const auto fit = fit_pairs(pairs, false);
  ASSERT_TRUE(fit.ok());
  const Similarity& m = fit->to_from;
  EXPECT_NEAR(std::hypot(m.rotation.w, m.rotation.x, std::hypot(m.rotation.y, m.rotation.z)), 1, 1e-12);
  EXPECT_GT(fit->rms, 0.1);
}

TEST(FitPairs, SaysWhatIsMissing) {
  RandomValues random(5);
  std::vector<PointPair> pairs = pairs_of({}, 4, random);
  const auto of = [&](auto change) {
    std::vector<PointPair> bad = pairs;
    change(bad);
    const auto fit = fit_pairs(bad, true);
    EXPECT_FALSE(fit.ok());
    return fit.ok() ? std::string() : fit.error().message;
  };
  EXPECT_NE(of([](auto& p) { p.resize(2); }).find("three pairs"), std::string::npos);
  EXPECT_NE(of([](auto& p) { p[1].to[2] = std::numeric_limits<double>::quiet_NaN(); }).find("finite"),
            std::string::npos);
  const auto on_a_line = [](auto& p) {
    for (size_t i = 0; i < p.size(); ++i) p[i].from = {double(i), 2 * double(i), 1};
  };
  EXPECT_NE(of(on_a_line).find("line"), std::string::npos);
  EXPECT_NE(of([](auto& p) {
              for (auto& pair : p) pair.from = pair.to = {1, 2, 3};
            }).find("line"),
            std::string::npos);
}

}  // namespace
}  // namespace splat::registration
