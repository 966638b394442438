// Promise 3 of docs/architecture.md: the same bytes for every number of threads, at every SIMD level this CPU has.
#include <gtest/gtest.h>

#include "splat/backend/cpu/cpu_backend.h"
#include "tests/support/parity.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {
namespace {

class CpuLevels : public testing::TestWithParam<cpu::SimdLevel> {
 protected:
  std::unique_ptr<CpuBackend> make(int threads) { return std::move(*make_cpu_backend({threads, GetParam()})); }
};

Scene scene_of_several_chunks() {
  return make_scene({.seed = 5, .splats = 3300, .width = 150, .height = 170, .max_px = 4, .mask = true});
}

struct Outcome {
  ImageF image;
  Contributions contributions;
  std::vector<float> depth;
  LossValue loss;
  Gaussians gradients, model;
  std::array<float, 3> v_background;
  DensifyStatistics statistics;
  AdamMoments moments;
};

// One view looked at closely, then 20 steps with row operations among them.
Outcome run(CpuBackend& backend, const Scene& scene) {
  Outcome out;
  backend.upload(scene.model);
  backend.forward(scene.view, scene.settings);
  backend.read_image(out.image);
  backend.read_contributions({}, out.contributions);
  backend.read_depth(DepthKind::kMean, out.depth);
  out.loss = backend.loss(scene.target, {});
  backend.backward();
  backend.read_gradients(out.gradients, out.v_background);
  AdamSettings adam;
  for (int i = 1; i <= 20; ++i) {
    backend.forward(turned_view(scene.view, 0.02 * i), scene.settings);
    backend.loss(scene.target, {});
    backend.backward();
    adam.iteration = i;
    backend.update(adam);
    if (i == 8) {
      std::vector<uint32_t> kept;
      for (uint32_t row = 0; row < backend.size(); ++row)
        if (row % 7 != 3) kept.push_back(row);
      const Ellipsoids copies = make_scene({.seed = 7, .splats = 100}).model;
      std::vector<uint32_t> sources, targets;
      for (uint32_t row = 0; row < 100; ++row) sources.push_back(30 * row), targets.push_back(30 * row + row % 2);
      backend.copy_rows(sources, targets, copies, true);
      backend.keep_and_copy_rows(kept, sources, copies);
    }
    if (i == 12) backend.append_rows(make_scene({.seed = 6, .splats = 500}).model);
  }
  backend.read_statistics(out.statistics);
  backend.download(out.model);
  backend.download_moments(out.moments);
  return out;
}

TEST_P(CpuLevels, ThreadsDoNotChangeAByte) {
  const Scene scene = scene_of_several_chunks();
  const Outcome expected = run(*make(1), scene);
  for (int threads : {2, 5}) {
    SCOPED_TRACE(threads);
    const Outcome got = run(*make(threads), scene);
    EXPECT_EQ(got.image.rgb, expected.image.rgb);
    EXPECT_EQ(got.contributions.max_weight, expected.contributions.max_weight);
    EXPECT_EQ(got.contributions.weight_sum, expected.contributions.weight_sum);
    EXPECT_EQ(got.contributions.pixel_count, expected.contributions.pixel_count);
    EXPECT_EQ(got.depth, expected.depth);
    EXPECT_EQ(got.loss.total, expected.loss.total);
    EXPECT_EQ(got.loss.l1, expected.loss.l1);
    EXPECT_EQ(got.loss.ssim, expected.loss.ssim);
    EXPECT_EQ(got.v_background, expected.v_background);
    expect_identical(got.gradients, expected.gradients);
    expect_identical(got.model, expected.model);
    expect_identical(got.moments.first, expected.moments.first);
    expect_identical(got.moments.second, expected.moments.second);
    expect_identical(got.statistics, expected.statistics);
  }
}

TEST_P(CpuLevels, NothingIsLeftOverFromEarlierViews) {
  const Scene scene = scene_of_several_chunks(), other = make_scene({.seed = 8, .width = 333, .height = 40});
  const auto used = make(2);
  used->upload(other.model);
  used->forward(other.view, other.settings);
  used->loss(other.target, {});
  used->backward();
  const Outcome got = run(*used, scene), expected = run(*make(2), scene);
  EXPECT_EQ(got.image.rgb, expected.image.rgb);
  expect_identical(got.gradients, expected.gradients);
  expect_identical(got.model, expected.model);
}

TEST_P(CpuLevels, IterationsDoNotAllocateOnceWarm) {
  const Scene scene = scene_of_several_chunks();
  const auto backend = make(2);
  backend->upload(scene.model);
  AdamSettings adam;
  adam.mean_rate = adam.log_scale_rate = adam.quat_rate = 0;  // the same instances every time
  size_t warm = 0;
  for (int i = 1; i <= 6; ++i) {
    backend->forward(scene.view, scene.settings);
    backend->loss(scene.target, {});
    backend->backward();
    adam.iteration = i;
    adam.opacity_rate = 0;
    backend->update(adam);
    if (i == 1) warm = backend->memory_bytes();
  }
  EXPECT_EQ(backend->memory_bytes(), warm);
}

INSTANTIATE_TEST_SUITE_P(Levels, CpuLevels, testing::ValuesIn(cpu::usable_simd_levels()),
                         [](const auto& level) { return std::string(cpu::simd_level_option(level.param)); });

}  // namespace
}  // namespace splat::test
