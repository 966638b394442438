// Spherical harmonics: constants against an independent evaluation, orthonormality, adjoints.
#include "splat/math/sh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "tests/support/finite_differences.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

using namespace math;

// Real spherical harmonic from the standard library's associated Legendre functions, with the Condon-Shortley phase.
double real_sh(int l, int m, const Vec3<double>& d) {
  const int order = std::abs(m);
  const double phi = std::atan2(d.y, d.x);
  const double norm = std::sqrt((2 * l + 1) / (4 * M_PI) * std::tgamma(l - order + 1) / std::tgamma(l + order + 1));
  const double polar = (order % 2 ? -1 : 1) * norm * std::assoc_legendre(unsigned(l), unsigned(order), d.z);
  if (m == 0) return polar;
  return std::sqrt(2.0) * polar * (m < 0 ? std::sin(order * phi) : std::cos(order * phi));
}

TEST(Sh, MatchesAssociatedLegendreFunctions) {
  RandomValues random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3<double> d = random.unit();
    double basis[16];
    sh_basis(3, d, basis);
    for (int l = 0; l <= 3; ++l)
      for (int m = -l; m <= l; ++m)
        EXPECT_NEAR(basis[l * l + l + m], real_sh(l, m, d), 1e-12) << "l " << l << " m " << m;
  }
}

TEST(Sh, DegreeOneHasTheReferenceSigns) {
  double basis[4];
  sh_basis(1, Vec3<double>{1, 10, 100}, basis);
  EXPECT_DOUBLE_EQ(basis[1], -10 * kSh1);
  EXPECT_DOUBLE_EQ(basis[2], 100 * kSh1);
  EXPECT_DOUBLE_EQ(basis[3], -1 * kSh1);
}

TEST(Sh, DirectionPointsFromTheCameraToTheSplat) {
  const Vec3<double> d = view_direction(Vec3<double>{3, 2, 9}, Vec3<double>{3, 5, 5});
  EXPECT_NEAR(d.x, 0, 1e-15);
  EXPECT_NEAR(d.y, -0.6, 1e-15);
  EXPECT_NEAR(d.z, 0.8, 1e-15);
}

// Gauss-Legendre in cos(theta) times equal steps in phi: exact for these polynomials.
TEST(Sh, IsOrthonormal) {
  const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  double gram[16][16] = {};
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 16; ++j) {
      const double z = i < 4 ? node[i] : -node[i - 4], r = std::sqrt(1 - z * z), phi = 2 * M_PI * j / 16;
      double basis[16];
      sh_basis(3, Vec3<double>{r * std::cos(phi), r * std::sin(phi), z}, basis);
      for (int a = 0; a < 16; ++a)
        for (int b = 0; b < 16; ++b) gram[a][b] += basis[a] * basis[b] * weight[i % 4] * 2 * M_PI / 16;
    }
  for (int a = 0; a < 16; ++a)
    for (int b = 0; b < 16; ++b) EXPECT_NEAR(gram[a][b], a == b, 1e-12) << a << " " << b;
}

TEST(Sh, LowerDegreesFillOnlyTheirCoefficients) {
  for (int degree = 0; degree <= 3; ++degree) {
    double basis[16];
    std::fill(basis, basis + 16, -7.0);
    sh_basis(degree, Vec3<double>{0.6, 0.0, 0.8}, basis);
    for (int k = 0; k < 16; ++k) EXPECT_EQ(basis[k] == -7.0, k >= (degree + 1) * (degree + 1));
  }
}

struct StoredSh {
  const double* values;
  Vec3<double> sh(int k) const { return {values[3 * k], values[3 * k + 1], values[3 * k + 2]}; }
};

// Colour by mean and coefficients, the clamp and the normalised direction included.
TEST(Sh, ColourVjpMatchesDifferences) {
  RandomValues random(2);
  int clamped_channels = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int degree = trial % 4, count = (degree + 1) * (degree + 1);
    const Vec3<double> centre = random.vec3(-1, 1), v_colour = random.vec3(-1, 1);
    std::vector<double> x{random.uniform(2, 3), random.uniform(-3, 3), random.uniform(-3, 3)};
    for (int k = 0; k < 3 * count; ++k) x.push_back(0.6 * random.normal());
    auto colour_of = [&](const std::vector<double>& p) {
      double basis[16];
      sh_basis(degree, view_direction(Vec3<double>{p[0], p[1], p[2]}, centre), basis);
      return sh_colour(count, basis, StoredSh{p.data() + 3});
    };
    const Vec3<double> colour = colour_of(x), mean{x[0], x[1], x[2]}, direction = view_direction(mean, centre);
    const Vec3<double> v_raw = colour_clamp_vjp(colour, v_colour);
    clamped_channels += (colour.x == 0) + (colour.y == 0) + (colour.z == 0);
    double basis[16], v_basis[16];
    sh_basis(degree, direction, basis);
    for (int k = 0; k < count; ++k)
      v_basis[k] = x[3 + 3 * k] * v_raw.x + x[4 + 3 * k] * v_raw.y + x[5 + 3 * k] * v_raw.z;
    const Vec3<double> v_mean = view_direction_vjp(mean, centre, sh_basis_vjp(degree, direction, v_basis));
    std::vector<double> analytic{v_mean.x, v_mean.y, v_mean.z};
    for (int k = 0; k < count; ++k)
      for (double v : {v_raw.x, v_raw.y, v_raw.z}) analytic.push_back(basis[k] * v);
    auto loss = [&](const std::vector<double>& p) { return dot(colour_of(p), v_colour); };
    expect_gradients_near(analytic, central_differences(loss, x, 1e-5), 1e-7);
  }
  EXPECT_GT(clamped_channels, 10);
}

TEST(Sh, FloatAgreesWithDouble) {
  RandomValues random(3);
  for (int i = 0; i < 100; ++i) {
    const Vec3<double> d = random.unit();
    double exact[16];
    float rounded[16];
    sh_basis(3, d, exact);
    sh_basis(3, Vec3<float>{float(d.x), float(d.y), float(d.z)}, rounded);
    for (int k = 0; k < 16; ++k) EXPECT_NEAR(rounded[k], exact[k], 2e-6);
  }
}

}  // namespace
}  // namespace splat::test
