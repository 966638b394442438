// Weight of a splat at a pixel, blending, and the moments that carry their gradient.
#include "splat/math/blend.h"

#include <gtest/gtest.h>

#include <vector>

#include "splat/math/gaussian_weight.h"
#include "tests/support/finite_differences.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

using namespace math;

TEST(GaussianWeight, IsOpacityTimesGaussian) {
  const Sym2<double> conic{0.5, -0.2, 0.3};
  const Vec2<double> d{1.5, -0.7};
  const double q = 0.5 * 1.5 * 1.5 + 2 * -0.2 * 1.5 * -0.7 + 0.3 * 0.7 * 0.7;
  EXPECT_NEAR(gaussian_power(d, conic), -0.5 * q, 1e-15);
  EXPECT_NEAR(gaussian_weight(d, weight_form(conic, 0.6)).alpha, 0.6 * std::exp(-0.5 * q), 1e-15);
}

TEST(GaussianWeight, CutsBelowOneStepOfEightBitsAndAboveTheMaximum) {
  const Sym2<double> conic{1, 0, 1};
  const double opacity = 0.5, edge = std::sqrt(2 * std::log(255 * opacity));
  auto weight = [&](double x, double o) { return gaussian_weight({x, 0.0}, weight_form(conic, o)); };
  EXPECT_GE(weight(edge * (1 - 1e-9), opacity).alpha, kAlphaMin);
  EXPECT_EQ(weight(edge * (1 + 1e-9), opacity).alpha, 0);
  EXPECT_EQ(weight(0, 0.999).alpha, kAlphaMax);
  EXPECT_FALSE(weight(0, 0.999).unclamped);
  EXPECT_TRUE(weight(0, 0.5).unclamped);
  for (double o : {0.0039, 0.0, -1.0, std::nan("")}) EXPECT_EQ(weight(0, o).alpha, 0) << o;
}

// As numbers: skipped below 1/255, never above 0.99, and the splat that would leave less than 1e-4 is not blended.
TEST(GaussianWeight, LimitsAreTheReferenceOnes) {
  const Sym2<double> conic{1, 0, 1};
  auto at_centre = [&](double o) { return gaussian_weight({0.0, 0.0}, weight_form(conic, o)).alpha; };
  EXPECT_EQ(at_centre(0.99 / 255), 0);
  EXPECT_NEAR(at_centre(1.01 / 255), 1.01 / 255, 1e-15);
  EXPECT_NEAR(at_centre(0.98), 0.98, 1e-15);
  EXPECT_EQ(at_centre(0.9999), 0.99);
  double goes_on = 1.02e-4 / (1 - 0.5), stops = 0.98e-4 / (1 - 0.5);
  EXPECT_GT(blend_step(goes_on, 0.5), 0);
  EXPECT_EQ(blend_step(stops, 0.5), 0);
}

struct Splats {
  std::vector<double> alpha, red, green, blue;
};

// C . g of one pixel by the textbook sum, with the stop rule.
double textbook_pixel(const Splats& s, const Vec3<double>& background, const Vec3<double>& g, double* final_t) {
  double t = 1, sum = 0;
  for (size_t i = 0; i < s.alpha.size(); ++i) {
    if (t * (1 - s.alpha[i]) < kTransmittanceStop) break;
    sum += s.alpha[i] * t * (s.red[i] * g.x + s.green[i] * g.y + s.blue[i] * g.z);
    t *= 1 - s.alpha[i];
  }
  if (final_t) *final_t = t;
  return sum + t * dot(background, g);
}

Splats random_splats(RandomValues& random, int count, double alpha_max) {
  Splats s;
  for (int i = 0; i < count; ++i) {
    s.alpha.push_back(random.uniform(kAlphaMin, alpha_max));
    s.red.push_back(random.uniform(0, 1));
    s.green.push_back(random.uniform(0, 1));
    s.blue.push_back(random.uniform(0, 1));
  }
  return s;
}

TEST(Blend, ForwardMatchesTheTextbook) {
  RandomValues random(1);
  int stopped = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Splats s = random_splats(random, 30, 0.9);
    const Vec3<double> g = random.vec3(-1, 1), background = random.vec3(0, 1);
    double t = 1, sum = 0, final_t = 0;
    for (size_t i = 0; i < s.alpha.size(); ++i)
      sum += blend_step(t, s.alpha[i]) * (s.red[i] * g.x + s.green[i] * g.y + s.blue[i] * g.z);
    stopped += !is_live(t);
    sum += final_transmittance(t) * dot(background, g);
    EXPECT_NEAR(sum, textbook_pixel(s, background, g, &final_t), 1e-12);
    EXPECT_NEAR(final_transmittance(t), final_t, 1e-14);
  }
  EXPECT_GT(stopped, 50);
}

TEST(Blend, AFinishedPixelStaysFinished) {
  double t = 1;
  EXPECT_NEAR(blend_step(t, 0.99), 0.99, 1e-15);
  EXPECT_EQ(blend_step(t, 0.995), 0);  // would leave 5e-5
  EXPECT_FALSE(is_live(t));
  EXPECT_NEAR(final_transmittance(t), 0.01, 1e-15);
  EXPECT_EQ(blend_step(t, 0.1), 0);
  EXPECT_EQ(blend_step(t, 0.0), 0);
  EXPECT_NEAR(final_transmittance(t), 0.01, 1e-15);
}

TEST(Blend, NotContributingChangesNothing) {
  float t = 0.37f;
  EXPECT_EQ(blend_step(t, 0.0f), 0.0f);
  EXPECT_EQ(t, 0.37f);
}

TEST(Blend, VjpMatchesDifferences) {
  RandomValues random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const bool to_the_stop = trial % 2;
    Splats s = random_splats(random, to_the_stop ? 25 : 8, to_the_stop ? 0.8 : 0.3);
    const Vec3<double> g = random.vec3(-1, 1), background = random.vec3(0, 1);
    double final_t = 0, t = 1;
    double behind = textbook_pixel(s, background, g, &final_t);
    std::vector<double> by_alpha, by_red;
    for (size_t i = 0; i < s.alpha.size(); ++i) {
      const double h = s.red[i] * g.x + s.green[i] * g.y + s.blue[i] * g.z;
      const auto step = blend_step_vjp(t, behind, s.alpha[i], alpha_odds(s.alpha[i]), true, h);
      by_alpha.push_back(step.w / s.alpha[i]);
      by_red.push_back(step.weight * g.x);
    }
    EXPECT_NEAR(behind, final_t * dot(background, g), 1e-12);
    auto loss_by = [&](std::vector<double> Splats::*field) {
      return [&, field](const std::vector<double>& x) {
        Splats changed = s;
        changed.*field = x;
        return textbook_pixel(changed, background, g, nullptr);
      };
    };
    expect_gradients_near(by_alpha, central_differences(loss_by(&Splats::alpha), s.alpha, 1e-6), 1e-7);
    expect_gradients_near(by_red, central_differences(loss_by(&Splats::red), s.red), 1e-9);
  }
}

TEST(Blend, NoGradientThroughAClampedAlpha) {
  double t = 1, behind = 0.4;
  const auto step = blend_step_vjp(t, behind, kAlphaMax, alpha_odds(kAlphaMax), false, 0.7);
  EXPECT_EQ(step.w, 0);
  EXPECT_NEAR(step.weight, kAlphaMax, 1e-15);
}

// One splat over 9x9 pixels before a background: gradient by mean, conic, opacity and colour through the moments.
TEST(Moments, MatchDifferences) {
  RandomValues random(3);
  for (int trial = 0; trial < 30; ++trial) {
    std::vector<Vec3<double>> g(81);
    for (auto& pixel : g) pixel = random.vec3(-1, 1);
    const Vec3<double> background = random.vec3(0, 1);
    // mean 2, conic 3, opacity, colour 3; so wide that every pixel is far from the cut-off
    std::vector<double> x{random.uniform(3, 6),        random.uniform(3, 6),       random.uniform(0.02, 0.05),
                          random.uniform(-0.01, 0.01), random.uniform(0.02, 0.05), random.uniform(0.4, 0.9),
                          random.uniform(0, 1),        random.uniform(0, 1),       random.uniform(0, 1)};
    auto visit = [&](const std::vector<double>& p, auto&& body) {
      for (int i = 0; i < 81; ++i) {
        const int row = i / 9, column = i % 9;
        const Vec2<double> d{column + 0.5 - p[0], row + 0.5 - p[1]};
        body(d, gaussian_weight(d, weight_form(Sym2<double>{p[2], p[3], p[4]}, p[5])), g[i]);
      }
    };
    auto loss = [&](const std::vector<double>& p) {
      double sum = 0;
      visit(p, [&](const Vec2<double>&, const GaussianWeight<double>& weight, const Vec3<double>& pixel) {
        double t = 1;
        const double w = blend_step(t, weight.alpha);
        sum += dot(w * Vec3<double>{p[6], p[7], p[8]} + t * background, pixel);
      });
      return sum;
    };
    const Vec2<double> elsewhere = {random.uniform(-9, 9), random.uniform(-9, 9)};
    auto moments = zero_moments<double>();
    visit(x, [&](const Vec2<double>& d, const GaussianWeight<double>& weight, const Vec3<double>& pixel) {
      const double h = dot(Vec3<double>{x[6], x[7], x[8]}, pixel);
      double t = 1, behind = weight.alpha * h + (1 - weight.alpha) * dot(background, pixel);
      const auto step = blend_step_vjp(t, behind, weight.alpha, alpha_odds(weight.alpha), weight.unclamped, h);
      add_moments(moments, offset_products(Vec2<double>{d.x + elsewhere.x, d.y + elsewhere.y}), step.w, step.weight,
                  pixel);
    });
    const auto v = moments_to_gradients(shift_moments(moments, elsewhere), {x[2], x[3], x[4]}, x[5]);
    const auto numeric = central_differences(loss, x, 1e-5);
    expect_gradients_near({v.v_mean_px.x, v.v_mean_px.y}, {numeric[0], numeric[1]});
    expect_gradients_near({v.v_conic.xx, v.v_conic.xy, v.v_conic.yy}, {numeric[2], numeric[3], numeric[4]});
    expect_gradients_near({v.v_opacity}, {numeric[5]});
    expect_gradients_near({v.v_colour.x, v.v_colour.y, v.v_colour.z}, {numeric[6], numeric[7], numeric[8]});
  }
}

TEST(Moments, FollowFromColumns) {
  RandomValues random(7);
  auto pixels = zero_moments<double>(), columns = zero_moments<double>();
  for (int column = 0; column < 5; ++column) {
    const double x = random.uniform(-4, 4);
    ColumnMoments<double> m{};
    for (int row = 0; row < 3; ++row) {
      const double y = random.uniform(-4, 4), w = random.uniform(-1, 1), blend_weight = random.uniform(0, 1);
      const Vec3<double> v_pixel = random.vec3(-1, 1);
      add_moments(pixels, offset_products(Vec2<double>{x, y}), w, blend_weight, v_pixel);
      if (row == 0)
        m = column_moments(y, w, blend_weight, v_pixel);
      else
        add_moments(m, y, w, blend_weight, v_pixel);
    }
    columns = {columns.w + m.w,
               columns.wx + x * m.w,
               columns.wy + m.wy,
               columns.wxx + x * x * m.w,
               columns.wxy + x * m.wy,
               columns.wyy + m.wyy,
               columns.v_colour + m.v_colour};
  }
  for (double SplatMoments<double>::*moment :
       {&SplatMoments<double>::w, &SplatMoments<double>::wx, &SplatMoments<double>::wy, &SplatMoments<double>::wxx,
        &SplatMoments<double>::wxy, &SplatMoments<double>::wyy})
    EXPECT_NEAR(columns.*moment, pixels.*moment, 1e-12);
  const Vec3<double> difference = columns.v_colour - pixels.v_colour;
  EXPECT_NEAR(dot(difference, difference), 0, 1e-24);
}

}  // namespace
}  // namespace splat::test
