// Bounds of a splat against brute force over pixels: in float nothing that contributes is lost, in double they are
// exact.
#include "splat/math/tile_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/support/random_values.h"

namespace splat::test {
namespace {

using namespace math;

template <class F>
struct TestSplat {
  Vec2<F> mean;
  Sym2<F> covariance, conic;
  F determinant, opacity;
};

// Standard deviations of up to `long_px` by `short_px` (and the low-pass), any orientation, centre in and around
// [0,128)^2.
template <class F>
TestSplat<F> random_splat(RandomValues& random, double long_px, double short_px) {
  const double a = random.uniform(0, long_px), b = random.uniform(0, short_px), angle = random.uniform(0, M_PI);
  const double c = std::cos(angle), s = std::sin(angle), aa = a * a, bb = b * b;
  TestSplat<F> out;
  const double xx = c * c * aa + s * s * bb + kLowPass, yy = s * s * aa + c * c * bb + kLowPass;
  const double xy = c * s * (aa - bb), det = (aa + kLowPass) * (bb + kLowPass);
  out.covariance = {F(xx), F(xy), F(yy)};
  out.determinant = F(det);
  out.conic = {F(yy / det), F(-xy / det), F(xx / det)};
  out.mean = {F(random.uniform(-40, 168)), F(random.uniform(-40, 168))};
  out.opacity = F(std::exp(random.uniform(std::log(1.01 / 255), std::log(1.0))));
  return out;
}

template <class F>
Ellipse<F> ellipse_of(const TestSplat<F>& s) {
  return make_ellipse(threshold_power(s.opacity), s.covariance, s.determinant, s.conic);
}

template <class F>
EllipseForm<F> form_of(const TestSplat<F>& s) {
  return ellipse_form(ellipse_of(s).rows.t, s.conic);
}

// Whether any pixel of the block contributes in float.
bool any_contributes(const TestSplat<float>& s, int x0, int y0, int size) {
  const WeightForm<float> form = weight_form(s.conic, s.opacity);
  for (int y = y0; y < y0 + size; ++y)
    for (int x = x0; x < x0 + size; ++x)
      if (gaussian_weight({float(x) + 0.5f - s.mean.x, float(y) + 0.5f - s.mean.y}, form).alpha > 0) return true;
  return false;
}

void check_nothing_is_lost(uint64_t seed, int count, double long_px, double short_px) {
  RandomValues random(seed);
  int kept = 0, needed = 0, spanned = 0;
  for (int i = 0; i < count; ++i) {
    const auto s = random_splat<float>(random, long_px, short_px);
    const auto e = ellipse_of(s);
    const auto form = form_of(s);
    for (int by = 0; by < 8; ++by) {
      const float y0 = float(16 * by) + 0.5f - s.mean.y, y1 = y0 + 15;
      float left = 0, right = 0;
      const bool hit = row_span(e.rows, y0, y1, left, right);
      for (int bx = 0; bx < 8; ++bx) {
        const float x0 = float(16 * bx) + 0.5f - s.mean.x, x1 = x0 + 15;
        const bool in_span = hit && x0 <= right && x1 >= left;
        const bool reached = reaches_rectangle(form, x0, x1, y0, y1);
        const bool contributes = any_contributes(s, 16 * bx, 16 * by, 16);
        ASSERT_TRUE(reached || !contributes) << "splat " << i << " tile " << bx << " " << by;
        ASSERT_TRUE(in_span || !contributes) << "splat " << i << " tile " << bx << " " << by;
        if (contributes) {
          ASSERT_TRUE(overlaps_image(s.mean, e.half_x, e.rows.half_y, 128.0f, 128.0f)) << "splat " << i;
        }
        kept += reached;
        needed += contributes;
        spanned += in_span;
      }
    }
  }
  EXPECT_GT(needed, count / 4);
  if (long_px < 50) {  // tight: hardly a tile is kept in vain
    EXPECT_LT(kept, 1.08 * needed);
    EXPECT_LT(spanned, 1.10 * needed);
  }
}

TEST(TileBounds, NeverLoseAContributingPixel) { check_nothing_is_lost(1, 6000, 8, 4); }
TEST(TileBounds, NeverLoseAContributingPixelOfLargeSplats) { check_nothing_is_lost(2, 2000, 40, 20); }
TEST(TileBounds, NeverLoseAContributingPixelOfNeedles) { check_nothing_is_lost(3, 2000, 3000, 0.01); }

TEST(TileBounds, NeverLoseAContributingBlock) {
  RandomValues random(4);
  for (int i = 0; i < 3000; ++i) {
    const auto s = random_splat<float>(random, 10, 3);
    const auto form = form_of(s);
    for (int by = 0; by < 8; ++by)
      for (int bx = 0; bx < 8; ++bx) {
        const float x0 = float(4 * bx) + 0.5f - s.mean.x, y0 = float(4 * by) + 0.5f - s.mean.y;
        const bool contributes = any_contributes(s, 4 * bx, 4 * by, 4);
        ASSERT_TRUE(!contributes || reaches_rectangle(form, x0, x0 + 3, y0, y0 + 3)) << i;
      }
  }
}

// The opacity chosen so that one pixel contributes by a rounding error only: the slack of bounded_extent() at work.
void check_edge_pixels(uint64_t seed, double long_px, double short_px) {
  RandomValues random(seed);
  int tried = 0;
  for (int i = 0; i < 20000; ++i) {
    auto s = random_splat<float>(random, long_px, short_px);
    const float angle = float(random.uniform(0, 2 * M_PI)), rim = float(random.uniform(0, 3.3));
    const float along = std::sqrt(s.covariance.xx), slope = s.covariance.xy / s.covariance.xx;
    const float dx = rim * std::cos(angle) * along;
    const float dy = slope * dx + rim * std::sin(angle) * std::sqrt(s.determinant / s.covariance.xx);
    const float px = std::floor(s.mean.x + dx) + 0.5f, py = std::floor(s.mean.y + dy) + 0.5f;
    const Vec2<float> d{px - s.mean.x, py - s.mean.y};
    const float power = gaussian_power(d, s.conic);
    s.opacity = std::exp(-power) / 255;
    if (!(s.opacity < 1) || power >= threshold_power(1.001f / 255)) continue;
    const auto contributes = [&](float opacity) { return gaussian_weight(d, weight_form(s.conic, opacity)).alpha > 0; };
    if (!contributes(1)) continue;
    // The opacity from which on it does.
    uint32_t without = std::bit_cast<uint32_t>(s.opacity) - 1, with = std::bit_cast<uint32_t>(1.0f);
    while (with - without > 1) {
      const uint32_t middle = without + (with - without) / 2;
      (contributes(std::bit_cast<float>(middle)) ? with : without) = middle;
    }
    s.opacity = std::bit_cast<float>(with);
    ++tried;
    const auto e = ellipse_of(s);
    const auto form = form_of(s);
    float left = 0, right = 0;
    ASSERT_TRUE(reaches_rectangle(form, d.x, d.x, d.y, d.y)) << i;
    ASSERT_TRUE(reaches_rectangle(form, d.x, d.x + 15, d.y - 15, d.y)) << i;
    ASSERT_TRUE(reaches_rectangle(form, d.x - 3, d.x, d.y, d.y + 3)) << i;
    ASSERT_TRUE(row_span(e.rows, d.y, d.y, left, right) && left <= d.x && d.x <= right) << i;
    ASSERT_TRUE(row_span(e.rows, d.y - 15, d.y, left, right) && left <= d.x && d.x <= right) << i;
    ASSERT_TRUE(std::abs(d.x) <= e.half_x && std::abs(d.y) <= e.rows.half_y) << i;
  }
  EXPECT_GT(tried, 2000);
}

TEST(TileBounds, NeverLoseAPixelAtTheVeryEdge) { check_edge_pixels(8, 10, 5); }
TEST(TileBounds, NeverLoseAPixelAtTheVeryEdgeOfNeedles) { check_edge_pixels(9, 1000, 0.01); }

double q_at(const EllipseForm<double>& e, double x, double y) { return -2 * gaussian_power({x, y}, e.conic); }

// Minimum of q over a rectangle by alternating exact one-dimensional minimisation.
double descend(const EllipseForm<double>& e, double x0, double x1, double y0, double y1) {
  double x = x0, y = y0;
  for (int i = 0; i < 3000; ++i) {
    y = std::clamp(-e.conic.xy / e.conic.yy * x, y0, y1);
    x = std::clamp(-e.conic.xy / e.conic.xx * y, x0, x1);
  }
  return q_at(e, x, y);
}

TEST(TileBounds, SmallestQIsExact) {
  RandomValues random(5);
  for (int i = 0; i < 1000; ++i) {
    const auto e = form_of(random_splat<double>(random, 8, 4));
    const double x0 = random.uniform(-30, 20), y0 = random.uniform(-30, 20);
    const double x1 = x0 + random.uniform(0, 16), y1 = y0 + random.uniform(0, 16);
    const double q = smallest_q(e, x0, x1, y0, y1);
    EXPECT_NEAR(q, descend(e, x0, x1, y0, y1), 1e-9 * std::max(1.0, q));
    for (int k = 0; k < 20; ++k)
      EXPECT_LE(q, q_at(e, random.uniform(x0, x1), random.uniform(y0, y1)) * (1 + 1e-12) + 1e-12);
  }
}

TEST(TileBounds, ExtentIsExactUpToItsSlack) {
  RandomValues random(6);
  for (int i = 0; i < 1000; ++i) {
    const auto s = random_splat<double>(random, 8, 4);
    const double t = 2 * std::log(255 * s.opacity), thinness = s.conic.xx * s.covariance.xx;
    const auto e = ellipse_of(s);
    EXPECT_GE(e.rows.t, t);
    EXPECT_LE(e.rows.t, t + 1.01e-4 + 2.1e-6 * t * thinness);
    EXPECT_NEAR(e.half_x, std::sqrt(e.rows.t * s.covariance.xx), 1e-12 * e.half_x);
    EXPECT_NEAR(e.rows.half_y, std::sqrt(e.rows.t * s.covariance.yy), 1e-12 * e.rows.half_y);
  }
  EXPECT_LT(bounded_extent(threshold_power(0.9 / 255), {1.0, 0.0, 1.0}, {1.0, 0.0, 1.0}), 0);
}

TEST(TileBounds, RowSpanIsExact) {
  RandomValues random(7);
  int hits = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto s = random_splat<double>(random, 8, 4);
    const auto e = ellipse_of(s);
    const double y0 = random.uniform(-25, 25), y1 = y0 + 15;
    double left = 0, right = 0;
    const bool hit = row_span(e.rows, y0, y1, left, right);
    ASSERT_EQ(hit, y0 <= e.rows.half_y && y1 >= -e.rows.half_y);
    if (!hit) continue;
    ++hits;
    // At each dy the ellipse spans slope dy +- sqrt(conditional variance (t - dy^2/Syy)), here from the conic.
    const double det = s.conic.xx * s.conic.yy - s.conic.xy * s.conic.xy;
    double most_left = 1e30, most_right = -1e30;
    for (int k = 0; k <= 4000; ++k) {
      const double dy = std::clamp(y0 + (y1 - y0) * k / 4000, -e.rows.half_y, e.rows.half_y);
      const double root = std::sqrt(std::max(0.0, s.conic.xx * e.rows.t - det * dy * dy));
      most_left = std::min(most_left, (-s.conic.xy * dy - root) / s.conic.xx);
      most_right = std::max(most_right, (-s.conic.xy * dy + root) / s.conic.xx);
    }
    const double tolerance = 2e-4 * (e.half_x + 1);
    EXPECT_GE(right, most_right - 1e-9 * e.half_x);
    EXPECT_LE(left, most_left + 1e-9 * e.half_x);
    EXPECT_NEAR(right, most_right, tolerance);
    EXPECT_NEAR(left, most_left, tolerance);
  }
  EXPECT_GT(hits, 300);
}

}  // namespace
}  // namespace splat::test
