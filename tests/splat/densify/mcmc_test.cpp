// The closed form of moving splats onto others, its steps on the reference backend, and a short training.
#include "splat/densify/mcmc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/backend/reference/reference_backend.h"
#include "splat/math/activation.h"
#include "splat/model/gaussian_rows.h"

namespace splat::mcmc_test {
namespace {

// Opacity of `copies` layers of o exp(-x^2 / 2 s^2), one behind the other.
double profile(double opacity, double scale, int copies, double x) {
  return 1 - std::pow(1 - opacity * std::exp(-x * x / (2 * scale * scale)), copies);
}

double integral(double opacity, double scale, int copies) {
  double sum = 0;
  constexpr double kStep = 1e-3;
  for (double x = -8; x <= 8; x += kStep) sum += profile(opacity, scale, copies, x) * kStep;
  return sum;
}

TEST(Relocated, CopiesHaveTheCentreAndTheIntegralOfTheOne) {
  for (double opacity : {0.01, 0.1, 0.5, 0.9, 0.99})
    for (int copies : {1, 2, 3, 7, 20, kMostCopies}) {
      const Relocated part = relocated(opacity, copies);
      EXPECT_NEAR(profile(part.opacity, part.scale, copies, 0), opacity, 1e-12) << opacity << ' ' << copies;
      EXPECT_NEAR(integral(part.opacity, part.scale, copies), integral(opacity, 1, 1), 1e-5 * copies)
          << opacity << ' ' << copies;
    }
  EXPECT_EQ(relocated(0.3, 1).opacity, 1 - std::pow(0.7, 1.0));
  EXPECT_NEAR(relocated(0.3, 1).scale, 1, 1e-12);
}

// Row i stands at (0.2 i, 0, 4): every one is seen alone.
Gaussians row_of_splats(const std::vector<float>& opacities) {
  Gaussians model;
  model.sh_degree = 1;
  model.resize(opacities.size());
  for (size_t i = 0; i < opacities.size(); ++i) {
    model.means[3 * i] = 0.2f * float(i);
    model.means[3 * i + 2] = 4;
    std::fill_n(&model.log_scales[3 * i], 3, std::log(0.03f));
    model.quats[4 * i] = 1;
    model.logit_opacities[i] = float(math::logit(double(opacities[i])));
    for (size_t k = 0; k < 3; ++k) model.sh[12 * i + k] = 1 + 0.5f * float(i);
  }
  return model;
}

ImageF picture(Backend& backend) {
  View view;
  view.camera = {64, 48, 100, 100, 20, 24};
  backend.forward(view, {});
  ImageF image;
  backend.read_image(image);
  return image;
}

double largest_difference(const ImageF& a, const ImageF& b) {
  double largest = 0;
  for (size_t i = 0; i < a.rgb.size(); ++i) largest = std::max(largest, double(std::abs(a.rgb[i] - b.rgb[i])));
  return largest;
}

TEST(Relocated, CopiesDrawWhatTheOneDrew) {
  const Gaussians one = row_of_splats({0.8f});
  auto backend = make_reference_backend();
  backend->upload(one);
  const ImageF expected = picture(*backend);
  for (int copies : {2, 5}) {
    const std::vector<uint32_t> rows(size_t(copies), 0u);
    Gaussians naive = gather_rows(one, rows), shared = naive;
    const Relocated part = relocated(0.8, copies);
    for (float& logit : shared.logit_opacities) logit = float(math::logit(part.opacity));
    for (float& log_scale : shared.log_scales) log_scale += float(std::log(part.scale));
    backend->upload(shared);
    const double difference = largest_difference(picture(*backend), expected);
    backend->upload(naive);
    EXPECT_LT(difference, 0.06) << copies;
    EXPECT_GT(largest_difference(picture(*backend), expected), 3 * difference) << copies;
  }
}

Mcmc mcmc_with(McmcConfig config, size_t max_splats = 0, uint64_t seed = 1) {
  return Mcmc(config, {.seed = seed, .mean_rate = [](int) { return 1e-4; }, .max_splats = max_splats});
}

Gaussians downloaded(const Backend& backend) {
  Gaussians model;
  backend.download(model);
  return model;
}

std::unique_ptr<Backend> backend_with(const Gaussians& model) {
  auto backend = make_reference_backend();
  backend->upload(model);
  AdamMoments moments{model, model};
  backend->upload_moments(moments);
  return backend;
}

TEST(Mcmc, DeadSplatsMoveOntoLivingOnesAndBothForgetTheirMoments) {
  const Gaussians before = row_of_splats({0.5f, 0.004f, 0.9f, 0.001f, 0.0049f, 0.3f});
  auto backend = backend_with(before);
  Mcmc mcmc = mcmc_with({.growth = 0, .noise = 0});
  const DensifyReport report = mcmc.after_update(600, *backend);
  EXPECT_EQ(report.relocated, 3u);
  const Gaussians after = downloaded(*backend);
  ASSERT_EQ(after.size(), before.size());
  AdamMoments moments;
  backend->download_moments(moments);
  std::vector<int> copies(6, 1);
  for (size_t dead : {1u, 3u, 4u}) {
    const size_t source = size_t(std::lround(after.means[3 * dead] / 0.2f));
    EXPECT_TRUE(source == 0 || source == 2 || source == 5) << source;
    ++copies[source];
    EXPECT_EQ(after.sh[12 * dead], before.sh[12 * source]);
    EXPECT_EQ(after.logit_opacities[dead], after.logit_opacities[source]);
    EXPECT_EQ(after.log_scales[3 * dead], after.log_scales[3 * source]);
    EXPECT_EQ(moments.first.means[3 * dead + 2], 0);
  }
  for (size_t source : {0u, 2u, 5u}) {
    const double opacity = math::sigmoid(double(before.logit_opacities[source]));
    EXPECT_NEAR(math::sigmoid(double(after.logit_opacities[source])), relocated(opacity, copies[source]).opacity, 1e-6);
    EXPECT_EQ(moments.first.means[3 * source + 2] == 0, copies[source] > 1);
  }
}

TEST(Mcmc, TheCountGrowsByItsShareAndStopsAtTheCap) {
  auto backend = backend_with(row_of_splats(std::vector<float>(100, 0.5f)));
  Mcmc mcmc = mcmc_with({.noise = 0}, 112);
  std::vector<size_t> counts;
  for (int iteration : {550, 600, 700, 800, 900}) {
    mcmc.after_update(iteration, *backend);
    counts.push_back(backend->size());
  }
  EXPECT_EQ(counts, (std::vector<size_t>{100, 105, 110, 112, 112}));
  EXPECT_EQ(mcmc.after_update(1000, *backend).withheld, 5u);
  for (int iteration : {500, 25000, 26000}) {  // outside its time
    EXPECT_FALSE(mcmc.after_update(iteration, *backend).densified) << iteration;
  }
}

TEST(Mcmc, NothingAliveIsLeftAlone) {
  const Gaussians before = row_of_splats({0.001f, 0.002f});
  auto backend = backend_with(before);
  const DensifyReport report = mcmc_with({.growth = 1, .noise = 0}).after_update(600, *backend);
  EXPECT_EQ(report.relocated, 0u);
  EXPECT_EQ(downloaded(*backend).logit_opacities, before.logit_opacities);
}

TEST(Mcmc, NoiseMovesOnlyWhatIsTransparentInEveryIteration) {
  const Gaussians before = row_of_splats({0.5f, 0.006f});
  auto backend = backend_with(before);
  Mcmc mcmc = mcmc_with({});
  EXPECT_FALSE(mcmc.after_update(3, *backend).densified);
  Gaussians after = downloaded(*backend);
  EXPECT_EQ(after.means[0], before.means[0]);
  EXPECT_NE(after.means[3], before.means[3]);
  auto again = backend_with(before);
  mcmc_with({}).after_update(3, *again);
  EXPECT_EQ(downloaded(*again).means, after.means);
  mcmc_with({}, 0, 2).after_update(3, *again);
  EXPECT_NE(downloaded(*again).means, after.means);
}

TEST(Mcmc, StartsOpaqueAndSmallWithRegularizers) {
  Gaussians model = row_of_splats({0.1f});
  const Mcmc mcmc = mcmc_with({});
  mcmc.prepare(model);
  EXPECT_NEAR(math::sigmoid(double(model.logit_opacities[0])), 0.5, 1e-6);
  EXPECT_NEAR(std::exp(model.log_scales[1]), 0.003, 1e-6);
  AdamSettings settings;
  mcmc.adjust(1, settings);
  EXPECT_EQ(settings.opacity_regularizer, 0.01f);
  EXPECT_EQ(settings.scale_regularizer, 0.01f);
  EXPECT_EQ(settings.opacity_rate, 0.05f);
}

TEST(Mcmc, ShorterRunsHaveTheSameStages) {
  McmcConfig c{.from = kAuto, .until = kAuto, .every = kAuto};
  resolve_mcmc(c, 30000);
  EXPECT_EQ(c.from, 500);
  EXPECT_EQ(c.until, 25000);
  EXPECT_EQ(c.every, 100);
  c = {.from = kAuto, .until = kAuto, .every = kAuto};
  resolve_mcmc(c, 6000);
  EXPECT_EQ(c.from, 100);
  EXPECT_EQ(c.until, 5000);
  EXPECT_EQ(c.every, 20);
}

}  // namespace
}  // namespace splat::mcmc_test
