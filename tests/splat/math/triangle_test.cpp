// Shares of a triangle's corners: against the point that they say, and their adjoint.
#include "splat/math/triangle.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/finite_differences.h"

namespace splat::math {
namespace {

using Corners = Vec3<double>[3];

void put(const std::vector<double>& x, Corners& corner) {
  for (size_t i = 0; i < 3; ++i) corner[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
}

// Corners on both sides of the eye.
std::vector<double> random_corners(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-2, 2);
  std::vector<double> x(9);
  for (double& value : x) value = number(random);
  return x;
}

TEST(Triangle, SharesAreThoseOfThePointThatIsSeen) {
  std::mt19937 random(1);
  for (int n = 0; n < 100; ++n) {
    Corners c;
    put(random_corners(random), c);
    const double x = 0.3, y = -0.2, h = 1e-5;
    const TriangleShares<double> s = triangle_shares(c, x, y);
    const Vec3<double> p = s.u * c[0] + s.v * c[1] + (1 - s.u - s.v) * c[2];
    EXPECT_NEAR(p.x, x * p.z, 1e-9 * (1 + std::abs(s.u) + std::abs(s.v)));
    EXPECT_NEAR(p.y, y * p.z, 1e-9 * (1 + std::abs(s.u) + std::abs(s.v)));
    const auto slope = [&](double TriangleShares<double>::*share, double dx, double dy) {
      return (triangle_shares(c, x + dx, y + dy).*share - triangle_shares(c, x - dx, y - dy).*share) / (2 * h);
    };
    using S = TriangleShares<double>;
    test::expect_gradients_near({s.u_x, s.u_y, s.v_x, s.v_y},
                                {slope(&S::u, h, 0), slope(&S::u, 0, h), slope(&S::v, h, 0), slope(&S::v, 0, h)}, 1e-3);
  }
}

TEST(Triangle, EdgesSayWhatIsInsideInFrontOfTheEye) {
  std::mt19937 random(2);
  for (int n = 0; n < 500; ++n) {
    Corners c;
    put(random_corners(random), c);
    const double x = 0.3, y = -0.2;
    const TriangleShares<double> s = triangle_shares(c, x, y);
    const double w = s.u * c[0].z + s.v * c[1].z + (1 - s.u - s.v) * c[2].z;
    const bool seen = w > 0 && s.u >= 0 && s.v >= 0 && s.u + s.v <= 1;
    const TriangleEdges<double> t = triangle_edges(c);
    bool inside = true;
    for (const Vec3<double>& e : t.edge) inside = inside && x * e.x + y * e.y + e.z >= 0;
    EXPECT_EQ(inside, seen);
    if (!seen) continue;
    const Vec3<double> plane = screen_plane(t, 3.0, 4.0, 5.0);
    EXPECT_NEAR(x * plane.x + y * plane.y + plane.z, (5 - 2 * s.u - s.v) / w, 1e-9 / w);
  }
}

TEST(Triangle, NeighboursHaveTheSameEdge) {
  std::mt19937 random(3);
  for (int n = 0; n < 100; ++n) {
    Corners a, b;
    put(random_corners(random), a);
    put(random_corners(random), b);
    b[0] = a[1], b[1] = a[0];
    const Vec3<double> e = triangle_edges(a).edge[2], f = triangle_edges(b).edge[2];
    EXPECT_EQ(std::abs(e.x), std::abs(f.x));
    EXPECT_EQ(std::abs(e.y), std::abs(f.y));
    EXPECT_EQ(std::abs(e.z), std::abs(f.z));
  }
}

TEST(Triangle, AdjointAgreesWithDifferences) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int n = 0; n < 50; ++n) {
    const std::vector<double> at = random_corners(random);
    const double x = number(random), y = number(random);
    const TriangleShares<double> g{number(random), number(random), number(random),
                                   number(random), number(random), number(random)};
    Corners c, v{};
    put(at, c);
    if (std::abs(shares_parts(c, x, y).sum.z) < 0.5) continue;  // seen from the side: differences lose their digits
    triangle_shares_vjp(c, x, y, g, v);
    const auto loss = [&](const std::vector<double>& corners) {
      Corners moved;
      put(corners, moved);
      const TriangleShares<double> s = triangle_shares(moved, x, y);
      return g.u * s.u + g.v * s.v + g.u_x * s.u_x + g.u_y * s.u_y + g.v_x * s.v_x + g.v_y * s.v_y;
    };
    std::vector<double> analytic;
    for (const Vec3<double>& corner : v) analytic.insert(analytic.end(), {corner.x, corner.y, corner.z});
    test::expect_gradients_near(analytic, test::central_differences(loss, at, 1e-4));
  }
}

}  // namespace
}  // namespace splat::math
