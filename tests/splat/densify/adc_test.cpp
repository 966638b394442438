// Hand-made models and statistics on the reference backend; nothing is rendered.
#include "splat/densify/adc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/backend/reference/reference_backend.h"
#include "splat/math/activation.h"
#include "splat/model/gaussian_rows.h"

namespace splat {
namespace {

constexpr double kExtent = 10;                                // small: scale <= 0.1; too large: scale > 1
constexpr float kSmall = 0.05f, kLarge = 0.3f, kHuge = 2.5f;  // world units
constexpr float kActive = 3e-4f, kCalm = 1e-4f;               // mean gradients around the threshold of 2e-4

struct Row {
  float scale = kSmall;  // of the second axis; the others are half of it
  float opacity = 0.5f;
  float gradient = kCalm;  // mean over 4 views
  float radius_px = 5;
};

// Row i is recognised by its mean (10 i, 0, 0) and its colour i; its first moments are i + 1.
std::unique_ptr<Backend> backend_with(const std::vector<Row>& rows) {
  Gaussians model;
  model.sh_degree = 1;
  model.resize(rows.size());
  AdamMoments moments{model, model};
  DensifyStatistics statistics;
  for (size_t i = 0; i < rows.size(); ++i) {
    model.means[3 * i] = 10 * float(i);
    for (size_t axis = 0; axis < 3; ++axis)
      model.log_scales[3 * i + axis] = std::log(rows[i].scale * (axis == 1 ? 1.0f : 0.5f));
    model.quats[4 * i] = 2;  // not normalised
    model.logit_opacities[i] = float(math::logit(double(rows[i].opacity)));
    for (size_t k = 0; k < 12; ++k) model.sh[12 * i + k] = float(i) + 0.01f * float(k);
    moments.first.means[3 * i] = moments.first.logit_opacities[i] = moments.second.sh[12 * i + 5] = float(i + 1);
    statistics.mean2d_gradient_norm.push_back(4 * rows[i].gradient);
    statistics.visible_count.push_back(4);
    statistics.max_radius_px.push_back(rows[i].radius_px);
  }
  auto backend = make_reference_backend();
  backend->upload(model);
  backend->upload_moments(moments);
  backend->write_statistics(statistics);
  return backend;
}

Adc adc_with(AdcConfig config = {}, size_t max_splats = 0, bool white = false, uint64_t seed = 1) {
  return Adc(config, {.extent = kExtent, .white_background = white, .seed = seed, .max_splats = max_splats});
}

Gaussians downloaded(const Backend& backend) {
  Gaussians model;
  backend.download(model);
  return model;
}

// The original row of each row, by its colour.
std::vector<int> sources(const Backend& backend) {
  const Gaussians model = downloaded(backend);
  std::vector<int> rows;
  for (size_t i = 0; i < model.size(); ++i) rows.push_back(int(model.sh[12 * i]));
  return rows;
}

TEST(Adc, ActsOnlyOnItsIterations) {
  Adc adc = adc_with();
  std::vector<int> acted, reset;
  for (int iteration = 1; iteration <= 16000; ++iteration) {
    if (iteration % 50 > 1) continue;
    auto backend = backend_with({{}});
    const DensifyReport report = adc.after_update(iteration, *backend);
    if (report.densified) acted.push_back(iteration);
    if (report.opacity_reset) reset.push_back(iteration);
  }
  ASSERT_EQ(acted.size(), 144u);
  EXPECT_EQ(acted.front(), 600) << "500 itself is not later than 500";
  EXPECT_EQ(acted.back(), 14900) << "15000 is not before 15000";
  EXPECT_TRUE(std::all_of(acted.begin(), acted.end(), [](int i) { return i % 100 == 0; }));
  EXPECT_EQ(reset, (std::vector<int>{3000, 6000, 9000, 12000}));
}

TEST(Adc, WhiteBackgroundResetsOpacityAtTheStartToo) {
  auto backend = backend_with({{.opacity = 0.8f}, {.opacity = 0.006f}});
  Adc adc = adc_with({}, 0, true);
  const DensifyReport report = adc.after_update(500, *backend);
  EXPECT_TRUE(report.opacity_reset);
  EXPECT_FALSE(report.densified);
  const Gaussians model = downloaded(*backend);
  EXPECT_NEAR(math::sigmoid(double(model.logit_opacities[0])), 0.01, 1e-6);
  EXPECT_NEAR(math::sigmoid(double(model.logit_opacities[1])), 0.006, 1e-6);
  EXPECT_FALSE(adc_with().after_update(500, *backend).opacity_reset);
}

TEST(Adc, NothingToDo) {
  auto backend = backend_with({{}, {.scale = kLarge}, {.scale = kHuge, .radius_px = 500}});
  const Gaussians before = downloaded(*backend);
  const DensifyReport report = adc_with().after_update(600, *backend);
  EXPECT_TRUE(report.densified);
  EXPECT_EQ(report.cloned + report.split + report.pruned + report.withheld, 0u);
  EXPECT_EQ(downloaded(*backend).means, before.means);
  DensifyStatistics statistics;
  backend->read_statistics(statistics);
  EXPECT_EQ(statistics.visible_count, (std::vector<uint32_t>{0, 0, 0})) << "statistics start anew";
  EXPECT_EQ(statistics.max_radius_px, (std::vector<float>{0, 0, 0}));
}

TEST(Adc, ClonesSmallOnesExactly) {
  auto backend = backend_with({{}, {.gradient = kActive}, {}, {.gradient = 2.001e-4f}, {.gradient = 1.999e-4f}});
  const Gaussians before = downloaded(*backend);
  const DensifyReport report = adc_with().after_update(600, *backend);
  EXPECT_EQ(report.cloned, 2u);
  EXPECT_EQ(report.split, 0u);
  EXPECT_EQ(report.pruned, 0u);
  Gaussians want = before;
  append_rows(gather_rows(before, std::vector<uint32_t>{1, 3}), want);
  const Gaussians have = downloaded(*backend);
  EXPECT_EQ(have.means, want.means);
  EXPECT_EQ(have.log_scales, want.log_scales);
  EXPECT_EQ(have.quats, want.quats);
  EXPECT_EQ(have.logit_opacities, want.logit_opacities);
  EXPECT_EQ(have.sh, want.sh);
  AdamMoments moments;
  backend->download_moments(moments);
  EXPECT_EQ(moments.first.logit_opacities, (std::vector<float>{1, 2, 3, 4, 5, 0, 0}));
  EXPECT_EQ(moments.first.means[3], 2);
  EXPECT_EQ(moments.second.sh[12 + 5], 2);
}

TEST(Adc, UnseenSplatsHaveNoGradient) {
  auto backend = backend_with({{}, {}});
  DensifyStatistics statistics{{0, 0}, {0, 0}, {0, 0}};
  backend->write_statistics(statistics);
  EXPECT_EQ(adc_with().after_update(600, *backend).cloned, 0u);
}

TEST(Adc, SplitsLargeOnesIntoSmallerSamples) {
  const std::vector<Row> rows{{}, {.scale = kLarge, .opacity = 0.7f, .gradient = kActive}, {}};
  auto backend = backend_with(rows);
  const DensifyReport report = adc_with().after_update(700, *backend);
  EXPECT_EQ(report.split, 1u);
  EXPECT_EQ(report.cloned, 0u);
  EXPECT_EQ(report.pruned, 0u);
  EXPECT_EQ(sources(*backend), (std::vector<int>{0, 2, 1, 1}));
  const Gaussians model = downloaded(*backend);
  for (size_t child : {2u, 3u}) {
    EXPECT_NEAR(std::exp(model.log_scales[3 * child + 1]), kLarge / 1.6, 1e-6);
    EXPECT_NEAR(std::exp(model.log_scales[3 * child]), kLarge / 3.2, 1e-6);
    EXPECT_NEAR(math::sigmoid(double(model.logit_opacities[child])), 0.7, 1e-6);
    EXPECT_EQ(model.quats[4 * child], 2);
    EXPECT_NE(model.means[3 * child + 1], 0);
    EXPECT_LT(std::abs(model.means[3 * child] - 10), 6 * kLarge);
  }
  EXPECT_NE(model.means[3 * 2 + 1], model.means[3 * 3 + 1]) << "two different samples";
  AdamMoments moments;
  backend->download_moments(moments);
  EXPECT_EQ(moments.first.means, (std::vector<float>{1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Adc, SamplesFollowTheRotatedGaussian) {
  constexpr size_t kParents = 20000, kSamples = 2 * kParents;
  std::vector<Row> rows(kParents, {.scale = kLarge, .gradient = kActive});
  auto backend = backend_with(rows);
  Gaussians model = downloaded(*backend);
  const float half = std::sqrt(0.5f);
  for (size_t i = 0; i < model.size(); ++i) {  // a quarter turn about x: the splat's long y axis lies along z
    model.quats[4 * i] = model.quats[4 * i + 1] = 3 * half;
    model.means[3 * i] = 0;
  }
  DensifyStatistics statistics;
  backend->read_statistics(statistics);
  backend->upload(model);
  backend->write_statistics(statistics);
  EXPECT_EQ(adc_with().after_update(600, *backend).split, kParents);
  model = downloaded(*backend);
  ASSERT_EQ(model.size(), kSamples);
  double variance[3] = {}, mean[3] = {};
  for (size_t i = 0; i < kSamples; ++i)
    for (size_t axis = 0; axis < 3; ++axis) {
      mean[axis] += model.means[3 * i + axis] / kSamples;
      variance[axis] += std::pow(model.means[3 * i + axis], 2) / kSamples;
    }
  for (double m : mean) EXPECT_NEAR(m, 0, 0.006);
  EXPECT_NEAR(std::sqrt(variance[0]), kLarge / 2, 0.002);
  EXPECT_NEAR(std::sqrt(variance[1]), kLarge / 2, 0.002);
  EXPECT_NEAR(std::sqrt(variance[2]), kLarge, 0.004);
}

TEST(Adc, SamplesDependOnSeedIterationAndRowOnly) {
  const std::vector<Row> rows{{.scale = kLarge, .gradient = kActive}, {.scale = kLarge, .gradient = kActive}};
  auto children = [&](uint64_t seed, int iteration, const std::vector<Row>& of) {
    auto backend = backend_with(of);
    adc_with({}, 0, false, seed).after_update(iteration, *backend);
    return downloaded(*backend).means;
  };
  const std::vector<float> first = children(1, 600, rows);
  EXPECT_EQ(children(1, 600, rows), first);
  EXPECT_NE(children(2, 600, rows), first);
  EXPECT_NE(children(1, 700, rows), first);
  std::vector<Row> other = rows;
  other[0].gradient = kCalm;  // row 1's children are the same, whatever happens to row 0
  const std::vector<float> alone = children(1, 600, other);
  EXPECT_TRUE(std::equal(alone.begin() + 3, alone.end(), first.begin() + 6, first.end()));
}

TEST(Adc, PrunesTheTransparentWithAllTheirOffspring) {
  auto backend = backend_with({{.opacity = 0.0049f},
                               {.opacity = 0.0051f},
                               {.opacity = 0.001f, .gradient = kActive},
                               {.scale = kLarge, .opacity = 0.001f, .gradient = kActive}});
  const DensifyReport report = adc_with().after_update(600, *backend);
  EXPECT_EQ(report.pruned, 3u);
  EXPECT_EQ(report.cloned, 0u);
  EXPECT_EQ(report.split, 0u);
  EXPECT_EQ(sources(*backend), (std::vector<int>{1}));
}

TEST(Adc, LargeOnesAreRemovedOnlyAfterTheFirstReset) {
  const std::vector<Row> rows{{},
                              {.scale = kHuge},
                              {.radius_px = 21},
                              {.radius_px = 20},
                              {.scale = 1.2f, .gradient = kActive},    // its children are small enough
                              {.scale = kHuge, .gradient = kActive}};  // these are not
  AdcConfig config;
  config.prune_radius_px = 20;
  auto before = backend_with(rows);
  DensifyReport report = adc_with(config).after_update(3000, *before);
  EXPECT_EQ(report.pruned, 0u);
  EXPECT_EQ(report.split, 2u);
  EXPECT_TRUE(report.opacity_reset);

  auto after = backend_with(rows);
  report = adc_with(config).after_update(3100, *after);
  EXPECT_EQ(report.pruned, 3u);
  EXPECT_EQ(report.split, 1u);
  EXPECT_FALSE(report.opacity_reset);
  EXPECT_EQ(sources(*after), (std::vector<int>{0, 3, 4, 4}));

  config.prune_radius_px = 0;
  auto off = backend_with(rows);
  EXPECT_EQ(adc_with(config).after_update(3100, *off).pruned, 2u);
  EXPECT_EQ(sources(*off), (std::vector<int>{0, 2, 3, 4, 4}));
}

TEST(Adc, TheLimitTakesTheHighestGradients) {
  const std::vector<Row> rows{{.gradient = 5e-4f}, {.scale = kLarge, .gradient = 9e-4f},
                              {.gradient = 3e-4f}, {.gradient = 7e-4f},
                              {.opacity = 0.001f}, {.gradient = 5e-4f}};
  auto backend = backend_with(rows);
  DensifyReport report = adc_with({}, 8).after_update(600, *backend);  // 5 stay, 3 more fit
  EXPECT_EQ(report.split, 1u);
  EXPECT_EQ(report.cloned, 2u);
  EXPECT_EQ(report.withheld, 2u);
  EXPECT_EQ(report.pruned, 1u);
  EXPECT_EQ(sources(*backend), (std::vector<int>{0, 2, 3, 5, 0, 3, 1, 1})) << "of equal gradients the first row";

  backend = backend_with(rows);
  report = adc_with({}, 3).after_update(600, *backend);  // already above: no growth, nothing is removed for it
  EXPECT_EQ(report.withheld, 5u);
  EXPECT_EQ(sources(*backend), (std::vector<int>{0, 1, 2, 3, 5}));

  backend = backend_with(rows);
  report = adc_with({}, 10).after_update(600, *backend);
  EXPECT_EQ(report.withheld, 0u);
  EXPECT_EQ(backend->size(), 10u);
}

TEST(Adc, EverythingPrunedLeavesAnEmptyModel) {
  auto backend = backend_with({{.opacity = 0.001f}, {.opacity = 0.002f, .gradient = kActive}});
  EXPECT_EQ(adc_with().after_update(600, *backend).pruned, 2u);
  EXPECT_EQ(backend->size(), 0u);
  EXPECT_EQ(adc_with().after_update(700, *backend).pruned, 0u);
}

}  // namespace
}  // namespace splat
