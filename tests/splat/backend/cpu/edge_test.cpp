// What is particular to the CPU backend: crowded tiles, splats over many tiles, coefficients whose step is skipped.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <new>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/backend/cpu/tile_lists.h"
#include "tests/support/parity.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {
namespace {

class CpuEdges : public testing::TestWithParam<cpu::SimdLevel> {
 protected:
  std::unique_ptr<CpuBackend> cpu = std::move(*make_cpu_backend({2, GetParam()}));
  ReferenceBackend reference;

  void render(const Scene& scene) { draw_both(reference, *cpu, scene); }
};

TEST_P(CpuEdges, TenThousandSplatsInOneTile) {
  render(make_scene({.seed = 1,
                     .splats = 10000,
                     .width = 16,
                     .height = 16,
                     .max_px = 2,
                     .min_opacity = 0.01,
                     .max_opacity = 0.03,
                     .margin = 0}));
  EXPECT_GT(cpu->timings().instances, 9000u);
  expect_pictures_match(reference, *cpu, {.interior = 1e-4, .flip_fraction = 0.02});
}

TEST_P(CpuEdges, SplatsOverHundredsOfTiles) {
  render(make_scene(
      {.seed = 2, .splats = 12, .width = 420, .height = 290, .min_px = 60, .max_px = 300, .max_opacity = 0.5}));
  EXPECT_GT(cpu->timings().instances, 1000u);
  expect_pictures_match(reference, *cpu);
}

TEST_P(CpuEdges, TheLowPassIsThatOfTheSettings) {
  Scene scene = make_scene({.seed = 36, .min_px = 0.2, .max_px = 1});
  ImageF blurred, sharp;
  render(scene);
  cpu->read_image(blurred);
  scene.settings.low_pass = 0.01f;
  render(scene);
  cpu->read_image(sharp);
  EXPECT_NE(blurred.rgb, sharp.rgb);
  expect_pictures_match(reference, *cpu);
}

// Depth ties are broken by index, as in the reference.
TEST_P(CpuEdges, EqualDepthsKeepTheOrderOfRows) {
  Scene scene = make_scene({.seed = 3, .splats = 200, .min_px = 3, .max_px = 6, .margin = 0});
  scene.view.cam_from_world = {};
  for (size_t i = 0; i < scene.model.size(); ++i) {
    scene.model.means[3 * i] = 0.8f * std::sin(float(i));
    scene.model.means[3 * i + 1] = 0.5f * std::cos(2.3f * float(i));
    scene.model.means[3 * i + 2] = 3;
  }
  render(scene);
  EXPECT_GT(cpu->timings().visible, 150u);
  expect_pictures_match(reference, *cpu);
}

// A viewer pays for the parameters and what a picture needs, not for Adam's moments.
TEST_P(CpuEdges, AModelThatIsOnlyLookedAtHasNoMoments) {
  constexpr size_t kSplats = 200'000, kParameters = 59 * sizeof(float), kStatistics = 8;
  const Scene scene = make_scene({.seed = 5, .splats = int(kSplats), .width = 32, .height = 32});
  cpu->upload(scene.model);
  EXPECT_LT(cpu->memory_bytes(), kSplats * (kParameters + kStatistics) + 100'000);
  cpu->forward(scene.view, scene.settings);
  const size_t looked_at = cpu->memory_bytes();
  AdamMoments moments;
  cpu->download_moments(moments);
  EXPECT_EQ(cpu->memory_bytes(), looked_at) << "they are zero without being there";
  EXPECT_EQ(moments.second.sh, std::vector<float>(kSplats * 48, 0.0f));
  const uint32_t kept[] = {3, 5, 1000};
  cpu->keep_rows(kept);
  cpu->append_rows(scene.model);
  cpu->limit_opacity(0.5f);
  cpu->forward(scene.view, scene.settings);
  ImageF zero;
  zero.width = zero.height = 32;
  zero.rgb.assign(3 * 32 * 32, 0.0f);
  cpu->set_image_gradient(zero);
  cpu->backward();
  const size_t before = cpu->memory_bytes();
  cpu->update({});
  EXPECT_GE(cpu->memory_bytes(), before + kSplats * 2 * kParameters);
}

// Coefficients above every degree used so far have zero moments: their step is skipped, which must not show.
TEST_P(CpuEdges, DegreesMayRiseAndFall) {
  const Scene scene = make_scene({.seed = 4, .splats = 60});
  render(scene);
  AdamSettings adam;
  int iteration = 0;
  for (int degree : {0, 0, 2, 1, 1, 3, 0}) {
    adam.iteration = ++iteration;
    for (Backend* backend : {static_cast<Backend*>(&reference), static_cast<Backend*>(cpu.get())}) {
      RenderSettings settings = scene.settings;
      settings.sh_degree = degree;
      backend->forward(scene.view, settings);
      backend->loss(scene.target, {});
      backend->backward();
      backend->update(adam);
    }
  }
  AdamMoments got, expected;
  cpu->download_moments(got);
  reference.download_moments(expected);
  const GradientLimits limits{.relative_l2 = 0.02, .cosine = 1 - 2e-4, .signed_bias = 0.01};
  expect_groups_match(got.first, expected.first, limits);
  Gaussians model, expected_model;
  cpu->download(model);
  reference.download(expected_model);
  expect_groups_match(model, expected_model, {.relative_l2 = 1e-3, .cosine = 1 - 1e-6, .signed_bias = 1e-3});
}

// A gradient that is not finite is dropped, splat by splat; the others learn on.
TEST_P(CpuEdges, InfiniteImageGradientsDoNotPoison) {
  const Scene scene = make_scene({.seed = 9});
  cpu->upload(scene.model);
  cpu->forward(scene.view, scene.settings);
  ImageF v_image;
  cpu->read_image(v_image);
  std::fill(v_image.rgb.begin(), v_image.rgb.end(), 1e-3f);
  v_image.rgb[30 * size_t(v_image.width) + 40] = std::numeric_limits<float>::infinity();
  cpu->set_image_gradient(v_image);
  cpu->backward();
  cpu->update({});
  Gaussians model;
  cpu->download(model);
  size_t moved = 0;
  for (size_t i = 0; i < model.means.size(); ++i) {
    EXPECT_TRUE(std::isfinite(model.means[i]));
    moved += model.means[i] != scene.model.means[i];
  }
  for (float x : model.sh) EXPECT_TRUE(std::isfinite(x));
  for (float x : model.log_scales) EXPECT_TRUE(std::isfinite(x));
  EXPECT_GT(moved, model.means.size() / 10);
}

// As memory that is refused, which every caller has a sentence for.
TEST(TileLists, MoreThanTheirNumbersCountAreRefused) {
  cpu::Frame frame;
  frame.size = {16, 16, 1, 1};
  for (auto* by_chunk : {&frame.chunk_visible, &frame.chunk_instances, &frame.chunk_first_instance}) {
    by_chunk->resize(2);
    for (size_t chunk = 0; chunk < 2; ++chunk) (*by_chunk)[chunk] = 3'000'000'000u;
  }
  EXPECT_THROW(cpu::place_tile_lists(frame, 2, 1), std::bad_alloc);
}

INSTANTIATE_TEST_SUITE_P(Levels, CpuEdges, testing::ValuesIn(cpu::usable_simd_levels()),
                         [](const auto& level) { return std::string(cpu::simd_level_option(level.param)); });

}  // namespace
}  // namespace splat::test
