// How far apart in depth what a pixel shows lies: against the sum over pairs, and the adjoint against central
// differences.
#include "splat/math/distortion.h"

#include <gtest/gtest.h>

#include "splat/math/blend.h"
#include "tests/support/finite_differences.h"
#include "tests/support/random_values.h"

namespace splat::test {
namespace {

using namespace math;

constexpr size_t kSplats = 7;

struct PixelCase {
  std::vector<double> alphas, depths;  // inverse
};
PixelCase random_pixel(RandomValues& random, double first, double range) {
  PixelCase out;
  for (size_t i = 0; i < kSplats; ++i) {
    out.alphas.push_back(random.uniform(0.1, 0.6));
    out.depths.push_back(first + random.uniform(0, range));
  }
  return out;
}

std::vector<double> weights_of(const std::vector<double>& alphas) {
  std::vector<double> weights;
  double transmittance = 1;
  for (double alpha : alphas) weights.push_back(blend_step(transmittance, alpha));
  return weights;
}

double over_pairs(const std::vector<double>& weights, const std::vector<double>& depths) {
  double sum = 0;
  for (size_t i = 0; i < weights.size(); ++i)
    for (size_t j = 0; j < i; ++j) sum += weights[i] * weights[j] * std::pow(depths[i] - depths[j], 2);
  return sum;
}

struct Blended {
  double mean;
  Distortion<double> distortion;
};
template <class F>
Blended blended(const PixelCase& pixel) {
  DepthSquares<F> squares{F(0), F(0)};
  F transmittance(1), weighted(0);
  for (size_t i = 0; i < pixel.alphas.size(); ++i) {
    const F before = transmittance, weight = blend_step(transmittance, F(pixel.alphas[i]));
    add_depth_square(squares, before, weight, F(pixel.depths[i]));
    weighted = weighted + weight * F(pixel.depths[i]);
  }
  const F weight = F(1) - transmittance, mean = weighted / weight;
  const Distortion<F> d = distortion(squares, weight, mean);
  return {double(mean), {double(d.value), double(d.by_weight), double(d.by_offset)}};
}

TEST(Distortion, IsTheSumOverPairs) {
  RandomValues random(1);
  for (int i = 0; i < 20; ++i) {
    PixelCase pixel = random_pixel(random, 0.3, 0.4);
    if (i % 3 == 0) pixel.alphas[0] = 0;  // the first splat of the list is not the first that is seen
    const double pairs = over_pairs(weights_of(pixel.alphas), pixel.depths);
    EXPECT_NEAR(blended<double>(pixel).distortion.value, pairs, 1e-12);
  }
}

// Thin against its distance: what single precision has to keep.
TEST(Distortion, OfAThinLayerSurvivesFloat) {
  RandomValues random(2);
  for (int i = 0; i < 20; ++i) {
    const PixelCase pixel = random_pixel(random, 0.7, 1e-3);
    const double pairs = over_pairs(weights_of(pixel.alphas), pixel.depths);
    EXPECT_NEAR(blended<float>(pixel).distortion.value, pairs, 2e-3 * pairs);
  }
}

// By the weights, and by the inverse depths of the splats.
TEST(Distortion, VjpMatchesDifferences) {
  RandomValues random(3);
  for (int i = 0; i < 20; ++i) {
    const PixelCase pixel = random_pixel(random, 0.3, 0.4);
    const std::vector<double> weights = weights_of(pixel.alphas);
    const Blended b = blended<double>(pixel);
    const Distortion<double> d = scaled(b.distortion, 0.7);
    std::vector<double> by_w, by_m;
    double total = 0;
    for (size_t k = 0; k < kSplats; ++k) {
      const DistortionStep<double> step = distortion_vjp(d, b.mean, pixel.depths[k]);
      by_w.push_back(step.by_w);
      by_m.push_back(weights[k] * step.by_m);
      total += weights[k] * step.by_w;
    }
    EXPECT_NEAR(total, 2 * d.value, 1e-12) << "what lies behind the first splat";
    const auto of_weights = [&](const std::vector<double>& w) { return 0.7 * over_pairs(w, pixel.depths); };
    const auto of_depths = [&](const std::vector<double>& m) { return 0.7 * over_pairs(weights, m); };
    expect_gradients_near(by_w, central_differences(of_weights, weights, 1e-5), 1e-6);
    expect_gradients_near(by_m, central_differences(of_depths, pixel.depths, 1e-5), 1e-6);
  }
}

}  // namespace
}  // namespace splat::test
