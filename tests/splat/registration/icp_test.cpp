// Clouds of points drawn at random from the same surfaces, never the same points twice.
#include "splat/registration/icp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/random_values.h"
#include "tests/support/synthetic_scene.h"

namespace splat::registration {
namespace {

using test::RandomValues;
using Point = std::array<double, 3>;

// A floor with waves, a ball on it and a wall: 4 long, no two sides alike. share: of it along x, from `from`.
std::vector<float> room(size_t count, uint64_t seed, double from = 0, double share = 1, double noise = 0) {
  RandomValues random(seed);
  std::vector<float> points;
  while (points.size() < 3 * count) {
    const double u = random.uniform(0, 1), v = random.uniform(0, 1), which = random.uniform(0, 1);
    Point p{4 * u, 3 * v, 0.15 * std::sin(5 * u) * std::cos(4 * v)};
    if (which < 0.3) {
      const auto n = random.unit();
      p = {1.5 + 0.6 * n.x, 1.2 + 0.6 * n.y, 0.6 + 0.6 * n.z};
    } else if (which < 0.5) {
      p = {4 * u, 0.2 * u, 1.5 * v};
    }
    if (p[0] < 4 * from || p[0] > 4 * (from + share)) continue;
    for (const double x : p) points.push_back(float(x + noise * random.normal()));
  }
  return points;
}

std::vector<float> moved(const std::vector<float>& points, const Similarity& by) {
  std::vector<float> out;
  for (size_t i = 0; i < points.size(); i += 3)
    for (const double x : by* Point{points[i], points[i + 1], points[i + 2]}) out.push_back(float(x));
  return out;
}

// How far the result lays the corners of the room from where they belong.
double error_of(const Similarity& found, const Similarity& truth) {
  double worst = 0;
  for (const Point& p : {Point{0, 0, 0}, Point{4, 0, 0}, Point{0, 3, 0}, Point{4, 3, 1.5}}) {
    const Point a = found * p, b = truth * p;
    worst = std::max(worst, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  }
  return worst;
}

const Similarity kNear{1, quat_about({1, 2, 3}, 8), {0.2, -0.15, 0.1}};

// truth: from the moving cloud to the fixed one; begins at the identity.
IcpResult refined(const std::vector<float>& moving, const std::vector<float>& fixed, bool with_scale = false) {
  ThreadPool pool(2);
  const auto result = icp(moving, fixed, {}, {.with_scale = with_scale}, pool);
  EXPECT_TRUE(result.ok()) << result.error().message;
  return result.ok() ? *result : IcpResult{};
}

TEST(Icp, FindsAKnownMotion) {
  const IcpResult found = refined(moved(room(8000, 1), inverse(kNear)), room(20000, 2));
  EXPECT_LT(error_of(found.to_from * inverse(kNear), {}), 0.01);
  EXPECT_GT(found.share, 0.9);
  EXPECT_LT(found.rms, 0.01);
  EXPECT_LT(found.iterations, 90) << "it has come to rest";
  EXPECT_GT(found.start_rms, 5 * found.rms);
}

// Two of the same thing side by side: their floors lie on each other already, and stay so.
TEST(Icp, WhereAFloorOutweighsTheRestItIsNoBetterThanAtTheStart) {
  std::vector<float> moving = room(8000, 1), fixed = room(20000, 2);
  for (std::vector<float>* points : {&moving, &fixed})
    for (size_t i = 0; i < points->size(); i += 3)
      if ((*points)[i + 2] < 0.15) (*points)[i + 2] = 0;
  const IcpResult found = refined(moved(moving, {1, {1, 0, 0, 0}, {1.6, 0, 0}}), fixed);
  EXPECT_LT(found.share, 0.9);
  EXPECT_GE(found.rms, 0.8 * found.start_rms);
}

TEST(Icp, WithNoiseItIsFarCloserThanThePointsAre) {
  const IcpResult found = refined(moved(room(8000, 1, 0, 1, 0.02), inverse(kNear)), room(20000, 2, 0, 1, 0.02));
  EXPECT_LT(error_of(found.to_from * inverse(kNear), {}), 0.02);
  EXPECT_GT(found.rms, 0.01);
  EXPECT_LT(found.rms, 0.04);
}

// The left 70 % on the right 70 %: four sevenths of each lie on the other.
TEST(Icp, CloudsMayOverlapInPart) {
  const IcpResult found = refined(moved(room(8000, 1, 0, 0.7, 0.005), inverse(kNear)), room(20000, 2, 0.3, 0.7, 0.005));
  EXPECT_LT(error_of(found.to_from * inverse(kNear), {}), 0.03);
  EXPECT_LT(found.share, 0.8);
  EXPECT_GT(found.share, 0.4);
}

TEST(Icp, PointsOfOtherThingsDoNotCount) {
  std::vector<float> moving = room(6000, 1, 0, 1, 0.005), fixed = room(15000, 2, 0, 1, 0.005);
  RandomValues random(6);
  for (size_t i = 0; i < 2000; ++i)
    for (const double x : {random.uniform(-2, 6), random.uniform(-2, 5), random.uniform(-2, 4)})
      moving.push_back(float(x));
  for (size_t i = 0; i < 2000; ++i)
    for (const double x : {random.uniform(-2, 6), random.uniform(-2, 5), random.uniform(-2, 4)})
      fixed.push_back(float(x));
  const IcpResult found = refined(moved(moving, inverse(kNear)), fixed);
  EXPECT_LT(error_of(found.to_from * inverse(kNear), {}), 0.02);
}

TEST(Icp, FindsTheScaleWhereThatIsAsked) {
  const Similarity motion{1.12, quat_about({1, 2, 3}, 5), {0.1, -0.1, 0.05}};
  const std::vector<float> moving = moved(room(8000, 1), inverse(motion)), fixed = room(20000, 2);
  EXPECT_LT(error_of(refined(moving, fixed, true).to_from * inverse(motion), {}), 0.02);
  EXPECT_EQ(refined(moving, fixed, false).to_from.scale, 1);
}

// A plane can be shifted along itself: that stays as it began.
TEST(Icp, WhatSurfacesDoNotDecideStays) {
  RandomValues random(8);
  std::vector<float> moving, fixed;
  for (size_t i = 0; i < 6000; ++i) {
    for (const double x : {random.uniform(0, 4), random.uniform(0, 4), 0.05}) moving.push_back(float(x));
    for (const double x : {random.uniform(-1, 5), random.uniform(-1, 5), 0.0}) fixed.push_back(float(x));
  }
  const IcpResult found = refined(moving, fixed);
  const Point middle = found.to_from * Point{2, 2, 0.05};
  EXPECT_NEAR(middle[0], 2, 0.05);
  EXPECT_NEAR(middle[1], 2, 0.05);
  EXPECT_NEAR(middle[2], 0, 1e-4);
}

TEST(Icp, IsTheSameOnAnyNumberOfThreads) {
  const std::vector<float> moving = moved(room(3000, 1), inverse(kNear)), fixed = room(6000, 2);
  ThreadPool one(1), four(4);
  const auto a = icp(moving, fixed, {}, {}, one), b = icp(moving, fixed, {}, {}, four);
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_TRUE(a->to_from == b->to_from);
  EXPECT_EQ(a->rms, b->rms);
}

// A ball with a bump, or a box of the same size about: neither fits the other.
std::vector<float> ball(size_t count, uint64_t seed, double noise = 0) {
  RandomValues random(seed);
  std::vector<float> points;
  for (size_t i = 0; i < count; ++i) {
    const auto n = random.unit();
    const double r = n.x > 0.8 ? 1.3 : 1;
    for (const double x : {r * n.x, r * n.y, r * n.z}) points.push_back(float(x + noise * random.normal()));
  }
  return points;
}
std::vector<float> box(size_t count, uint64_t seed) {
  RandomValues random(seed);
  std::vector<float> points;
  for (size_t i = 0; i < count; ++i) {
    Point p{random.uniform(-1, 1), 0.7 * random.uniform(-1, 1), 0.8 * random.uniform(-1, 1)};
    const size_t side = i % 3;
    p[side] = (i % 2 ? 1 : -1) * (side == 0 ? 1 : side == 1 ? 0.7 : 0.8);
    for (const double x : p) points.push_back(float(x));
  }
  return points;
}

Plausibility likely(const std::vector<float>& moving, const std::vector<float>& fixed) {
  ThreadPool pool(2);
  return plausibility(moving, fixed, refined(moving, fixed), pool);
}

TEST(Plausibility, TheSameThingFitsWithNoiseInPartTurnedAndSparsely) {
  const std::vector<float> turned = moved(room(8000, 1), inverse(kNear));
  EXPECT_TRUE(likely(turned, room(20000, 2)).plausible());
  EXPECT_TRUE(likely(moved(room(8000, 1, 0, 1, 0.02), inverse(kNear)), room(20000, 2, 0, 1, 0.02)).plausible());
  EXPECT_TRUE(likely(moved(room(8000, 1, 0, 1, 0.04), inverse(kNear)), room(20000, 2)).plausible()) << "noise on one";
  EXPECT_TRUE(likely(turned, room(20000, 2, 0, 1, 0.04)).plausible()) << "on the other";
  EXPECT_TRUE(likely(moved(room(8000, 1, 0, 0.7, 0.005), inverse(kNear)), room(20000, 2, 0.3, 0.7)).plausible());
  EXPECT_TRUE(likely(moved(room(8000, 1, 0, 0.4), inverse(kNear)), room(20000, 2)).plausible()) << "a part of it";
  EXPECT_TRUE(likely(room(400, 1), room(20000, 2)).plausible());
  EXPECT_TRUE(likely(room(8000, 1), room(400, 2)).plausible());
  EXPECT_TRUE(likely(turned, turned).plausible());
  EXPECT_TRUE(likely(ball(4000, 1, 0.01), ball(6000, 2, 0.01)).plausible());
}

TEST(Plausibility, AnotherThingDoesNotFit) {
  for (const Plausibility& other : {likely(box(4000, 1), ball(6000, 2)), likely(ball(4000, 1, 0.01), box(6000, 2)),
                                    likely(ball(4000, 1), room(9000, 2)), likely(room(4000, 1), box(9000, 2))}) {
    EXPECT_FALSE(other.plausible());
    EXPECT_LT(other.near, 0.4);
    EXPECT_FALSE(other.fits_at) << *other.fits_at;
  }
}

TEST(Plausibility, AnotherSizeIsNamed) {
  for (const double size : {0.5, 0.8, 1.25, 2.0, 4.0}) {
    const Plausibility found = likely(moved(ball(4000, 1, 0.003), {size, {}, {}}), ball(6000, 2, 0.003));
    EXPECT_FALSE(found.plausible()) << size;
    ASSERT_TRUE(found.fits_at) << size;
    EXPECT_NEAR(*found.fits_at * size, 1, 0.02) << size;
  }
}

TEST(Icp, TooFewPointsAreAnError) {
  ThreadPool pool(1);
  const auto result = icp(room(5, 1), room(100, 2), {}, {}, pool);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("too few"), std::string::npos);
  const std::vector<float> one_place(300, 1.0f);
  EXPECT_FALSE(icp(one_place, one_place, {}, {}, pool).ok());
}

TEST(SurfacePoints, AreCentresOfOpaqueSplatsThatAreFinite) {
  test::Scene scene = test::make_scene({.seed = 2, .splats = 40});
  scene.model.logit_opacities[3] = -5;
  scene.model.means[3 * 7] = std::numeric_limits<float>::infinity();
  const size_t all = surface_points(scene.model).size() / 3;
  EXPECT_LT(all, 39u);
  EXPECT_GT(all, 30u);
  std::vector<uint8_t> rows(40);
  rows[3] = rows[5] = rows[7] = 1;
  scene.model.logit_opacities[5] = 2;
  const std::vector<float> points = surface_points(scene.model, rows);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0], scene.model.means[15]);
}

}  // namespace
}  // namespace splat::registration
