// Turning spherical harmonics: against direct evaluation along turned directions, and as a group.
#include "splat/math/sh_rotation.h"

#include <gtest/gtest.h>

#include "splat/math/quat.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

using namespace math;

struct Coefficients {
  double sh[16 * 3];
};

Coefficients random_coefficients(RandomValues& random) {
  Coefficients c;
  for (double& value : c.sh) value = random.normal();
  return c;
}

double evaluate(const Coefficients& c, int degree, int channel, const Vec3<double>& direction) {
  double basis[16], sum = 0;
  sh_basis(degree, direction, basis);
  for (int k = 0; k < (degree + 1) * (degree + 1); ++k) sum += basis[k] * c.sh[3 * k + channel];
  return sum;
}

TEST(ShRotation, TurnedCoefficientsLookLikeTheOldOnesFromTurnedDirections) {
  RandomValues random(1);
  for (int degree = 0; degree <= 3; ++degree)
    for (int i = 0; i < 100; ++i) {
      const Mat3<double> rotation = rotation_from_quat(random.quat());
      const Coefficients old = random_coefficients(random);
      Coefficients turned = old;
      rotate_sh(sh_rotation(rotation), degree, turned.sh);
      for (int k = (degree + 1) * (degree + 1) * 3; k < 48; ++k) EXPECT_EQ(turned.sh[k], old.sh[k]);
      for (int j = 0; j < 10; ++j) {
        const Vec3<double> direction = random.unit();
        for (int channel = 0; channel < 3; ++channel)
          EXPECT_NEAR(evaluate(turned, degree, channel, rotation * direction),
                      evaluate(old, degree, channel, direction), 1e-13);
      }
    }
}

TEST(ShRotation, MatricesAreOrthogonalAndFollowTheRotations) {
  RandomValues random(2);
  const Quat<double> q = random.quat();
  const Mat3<double> there = rotation_from_quat(q), back = rotation_from_quat(Quat<double>{q.w, -q.x, -q.y, -q.z});
  const Coefficients old = random_coefficients(random);
  Coefficients turned = old;
  rotate_sh(sh_rotation(there), 3, turned.sh);
  double difference = 0;
  for (int k = 3; k < 48; ++k) difference += std::abs(turned.sh[k] - old.sh[k]);
  EXPECT_GT(difference, 1);
  rotate_sh(sh_rotation(back), 3, turned.sh);
  for (int k = 0; k < 48; ++k) EXPECT_NEAR(turned.sh[k], old.sh[k], 1e-13);
}

TEST(ShRotation, HalfTurnsOnlyChangeSigns) {
  const Mat3<double> half_turn{{{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};  // about z
  const ShRotation<double> rotation = sh_rotation(half_turn);
  for (int l = 1; l <= 3; ++l)
    for (int m = 0; m < 2 * l + 1; ++m)
      for (int n = 0; n < 2 * l + 1; ++n) {
        const double value = l == 1 ? rotation.band1[m][n] : l == 2 ? rotation.band2[m][n] : rotation.band3[m][n];
        EXPECT_NEAR(value, m != n ? 0 : (m - l) % 2 ? -1 : 1, 1e-14) << l << " " << m << " " << n;
      }
}

TEST(ShRotation, SinglePrecisionIsGoodToMillionths) {
  RandomValues random(3);
  const Mat3<double> rotation = rotation_from_quat(random.quat());
  Mat3<float> single;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) single.m[r][c] = float(rotation.m[r][c]);
  const ShRotation<double> expected = sh_rotation(rotation);
  const ShRotation<float> got = sh_rotation(single);
  for (int m = 0; m < 7; ++m)
    for (int n = 0; n < 7; ++n) EXPECT_NEAR(got.band3[m][n], expected.band3[m][n], 3e-6);
}

}  // namespace
}  // namespace splat::test
