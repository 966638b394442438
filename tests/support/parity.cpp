#include "tests/support/parity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/math/blend.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {
namespace {

bool is_near(double value, double cut_off, double band) { return std::abs(value / cut_off - 1) < band; }

// Whether some live splat at the pixel stands at a cut-off.
bool stands_at_cut_off(const ReferenceBackend& reference, size_t pixel, double band) {
  double transmittance = 1;
  for (const reference::ProjectedSplat& splat : reference.visible()) {
    if (!math::is_live(transmittance)) return false;
    const auto offset = reference::offset_px(splat, pixel, reference.picture().width);
    const double alpha =
        std::min(math::kAlphaMax, splat.opacity * std::exp(math::gaussian_power(offset, splat.projection.conic)));
    if (is_near(alpha, math::kAlphaMin, band)) return true;
    const double weight = reference::weight_at(splat, offset).alpha;
    if (is_near(transmittance * (1 - weight), math::kTransmittanceStop, band)) return true;
    math::blend_step(transmittance, weight);
  }
  return false;
}

double difference_at(const ReferenceBackend& reference, const ImageF& image, const std::vector<float>& final_t,
                     size_t pixel) {
  const size_t pixels = final_t.size();
  const auto& colour = reference.picture().colour[pixel];
  const double expected[4] = {colour.x, colour.y, colour.z, reference.picture().final_transmittance[pixel]};
  const double got[4] = {image.rgb[pixel], image.rgb[pixels + pixel], image.rgb[2 * pixels + pixel], final_t[pixel]};
  double largest = 0;
  for (int i = 0; i < 4; ++i) {
    const double difference = std::abs(got[i] - expected[i]) / std::max(1.0, std::abs(expected[i]));
    largest = std::isfinite(difference) ? std::max(largest, difference) : 1e30;
  }
  return largest;
}

}  // namespace

void draw_both(Backend& a, Backend& b, const Scene& scene) {
  for (Backend* backend : {&a, &b}) {
    backend->upload(scene.model);
    backend->forward(scene.view, scene.settings);
  }
}

void expect_pictures_match(const ReferenceBackend& reference, Backend& tested, const PictureLimits& limits) {
  ImageF image;
  std::vector<float> final_t;
  tested.read_image(image);
  tested.read_transmittance(final_t);
  const size_t pixels = reference.picture().colour.size();
  ASSERT_EQ(image.width, reference.picture().width);
  ASSERT_EQ(image.height, reference.picture().height);
  ASSERT_EQ(image.rgb.size(), 3 * pixels);
  ASSERT_EQ(final_t.size(), pixels);

  size_t flips = 0;
  for (size_t pixel = 0; pixel < pixels; ++pixel) {
    const double difference = difference_at(reference, image, final_t, pixel);
    if (difference <= limits.interior) continue;
    ++flips;
    EXPECT_LE(difference, limits.flip) << "pixel " << pixel;
    EXPECT_TRUE(stands_at_cut_off(reference, pixel, limits.band))
        << "pixel " << pixel << " differs by " << difference << " and stands at no cut-off";
    if (flips > 20) break;
  }
  EXPECT_LE(double(flips), 1 + limits.flip_fraction * double(pixels));
}

std::vector<bool> pixels_at_cut_offs(const ReferenceBackend& reference, double band) {
  std::vector<bool> at_cut_off(reference.picture().colour.size());
  for (size_t pixel = 0; pixel < at_cut_off.size(); ++pixel)
    at_cut_off[pixel] = stands_at_cut_off(reference, pixel, band);
  return at_cut_off;
}

void expect_values_match(const std::string& name, std::span<const float> tested, std::span<const float> reference,
                         const GradientLimits& limits) {
  ASSERT_EQ(tested.size(), reference.size()) << name;
  double error2 = 0, tested2 = 0, reference2 = 0, product = 0, bias = 0, magnitude = 0;
  for (size_t i = 0; i < tested.size(); ++i) {
    const double a = tested[i], b = reference[i];
    error2 += (a - b) * (a - b), tested2 += a * a, reference2 += b * b, product += a * b;
    bias += (a - b) * (b > 0 ? 1 : b < 0 ? -1 : 0), magnitude += std::abs(b);
  }
  if (reference2 == 0) {
    EXPECT_EQ(tested2, 0) << name;
    return;
  }
  EXPECT_LE(std::sqrt(error2 / reference2), limits.relative_l2) << name;
  EXPECT_GE(product / std::sqrt(tested2 * reference2), limits.cosine) << name;
  EXPECT_LE(std::abs(bias) / magnitude, limits.signed_bias) << name;
}

void expect_groups_match(const Gaussians& tested, const Gaussians& reference, const GradientLimits& limits) {
  ASSERT_EQ(tested.sh_degree, reference.sh_degree);
  expect_values_match("means", tested.means, reference.means, limits);
  expect_values_match("log_scales", tested.log_scales, reference.log_scales, limits);
  expect_values_match("quats", tested.quats, reference.quats, limits);
  expect_values_match("logit_opacities", tested.logit_opacities, reference.logit_opacities, limits);
  expect_values_match("sh", tested.sh, reference.sh, limits);
}

}  // namespace splat::test
