// What is particular to the GPU backend: room for instances that is found too small late, iterations that neither
// allocate nor wait, crowded tiles, splats over many tiles.
#include "splat/backend/gpu/gpu_backend.h"

#include <gtest/gtest.h>

#include "splat/core/device_error.h"
#include "tests/support/hip_emulator/hip_emulator.h"
#include "tests/support/parity.h"
#include "tests/support/synthetic_scene.h"

namespace splat::test {
namespace {

class GpuEmulated : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override { hip_emulator::device().wave_size = GetParam(); }
  static std::unique_ptr<GpuBackend> make() { return make_gpu_backend({"emulated", 0, 8192}); }
  static ImageF image_of(const Backend& backend) {
    ImageF image;
    backend.read_image(image);
    return image;
  }
  static Gaussians model_of(const Backend& backend) {
    Gaussians model;
    backend.download(model);
    return model;
  }
};

Scene small_scene() { return make_scene({.seed = 5, .splats = 40, .width = 37, .height = 20, .max_px = 3}); }

TEST_P(GpuEmulated, SteadyIterationsNeitherAllocateNorWait) {
  const Scene scene = small_scene();
  const auto backend = make();
  backend->upload(scene.model);
  hip_emulator::Counters warm;
  for (int i = 1; i <= 6; ++i) {
    if (i == 4) warm = hip_emulator::counters();
    backend->forward(turned_view(scene.view, 0.01 * i), scene.settings);
    backend->loss(scene.target, {.late = true});
    backend->backward();
    backend->update({.iteration = i});
  }
  EXPECT_EQ(hip_emulator::counters().allocations, warm.allocations);
  EXPECT_EQ(hip_emulator::counters().waits, warm.waits);
  EXPECT_GT(hip_emulator::counters().launches, warm.launches);
}

TEST_P(GpuEmulated, LateLossesAreThoseOfTheCallBefore) {
  const Scene scene = small_scene();
  LossValue values[2][4];
  for (bool late : {false, true}) {
    const auto backend = make();
    backend->upload(scene.model);
    for (int i = 0; i < 4; ++i) {
      backend->forward(scene.view, scene.settings);
      values[late][i] = backend->loss(scene.target, {.late = late});
      backend->backward();
      backend->update({.iteration = i + 1});
    }
  }
  EXPECT_LT(values[0][3].total, values[0][0].total);
  EXPECT_EQ(values[1][0].total, values[0][0].total) << "there is none before the first";
  for (int i = 1; i < 4; ++i) EXPECT_EQ(values[1][i].total, values[0][i - 1].total);
}

TEST_P(GpuEmulated, AViewWithMoreInstancesThanFitIsDrawnAgain) {
  const Scene scene = small_scene();
  const auto roomy = make(), tight = make();
  for (const auto& backend : {roomy.get(), tight.get()}) backend->upload(scene.model);
  tight->limit_instance_capacity(7);
  for (const auto& backend : {roomy.get(), tight.get()}) backend->forward(scene.view, scene.settings);
  EXPECT_EQ(image_of(*tight).rgb, image_of(*roomy).rgb);
  EXPECT_GT(tight->instance_capacity(), 40u);
}

TEST_P(GpuEmulated, AStepOnTooManyInstancesIsLeftOut) {
  const Scene scene = small_scene();
  const auto backend = make();
  backend->upload(scene.model);
  backend->limit_instance_capacity(7);
  auto iteration = [&] {
    backend->forward(scene.view, scene.settings);
    backend->loss(scene.target, {.late = true});
    backend->backward();
    backend->update({.iteration = 1});
  };
  iteration();
  expect_identical(model_of(*backend), scene.model);
  DensifyStatistics statistics;
  backend->read_statistics(statistics);
  EXPECT_EQ(statistics.visible_count, std::vector<uint32_t>(40, 0));
  iteration();
  EXPECT_NE(model_of(*backend).means, scene.model.means);
  const auto roomy = make();
  roomy->upload(scene.model);
  roomy->forward(scene.view, scene.settings);
  roomy->loss(scene.target, {});
  roomy->backward();
  roomy->update({.iteration = 1});
  expect_identical(model_of(*backend), model_of(*roomy));
}

TEST_P(GpuEmulated, ASecondBackwardStartsAfresh) {
  const Scene scene = small_scene();
  const auto backend = make();
  backend->upload(scene.model);
  backend->forward(scene.view, scene.settings);
  Gaussians v_model[2];
  std::array<float, 3> v_background;
  for (Gaussians& v : v_model) {
    backend->loss(scene.target, {});
    backend->backward();
    backend->read_gradients(v, v_background);
  }
  expect_identical(v_model[1], v_model[0]);
}

TEST_P(GpuEmulated, TenThousandSplatsInOneTile) {
  const Scene scene = make_scene({.seed = 1,
                                  .splats = 10000,
                                  .width = 16,
                                  .height = 16,
                                  .sh_degree = 0,
                                  .max_px = 2,
                                  .min_opacity = 0.01,
                                  .max_opacity = 0.03,
                                  .margin = 0});
  ReferenceBackend reference;
  const auto backend = make();
  for (Backend* b : {static_cast<Backend*>(&reference), static_cast<Backend*>(backend.get())}) {
    b->upload(scene.model);
    b->forward(scene.view, scene.settings);
  }
  expect_pictures_match(reference, *backend, {.interior = 1e-4, .flip_fraction = 0.02});
}

// Wide and tall splats are counted and emitted by a whole wave.
TEST_P(GpuEmulated, SplatsOverHundredsOfTiles) {
  const Scene scene = make_scene(
      {.seed = 2, .splats = 8, .width = 230, .height = 150, .min_px = 40, .max_px = 200, .max_opacity = 0.5});
  ReferenceBackend reference;
  const auto backend = make();
  for (Backend* b : {static_cast<Backend*>(&reference), static_cast<Backend*>(backend.get())}) {
    b->upload(scene.model);
    b->forward(scene.view, scene.settings);
  }
  expect_pictures_match(reference, *backend);
}

TEST_P(GpuEmulated, OutOfMemoryIsADeviceError) {
  const auto backend = make();
  hip_emulator::device().memory_limit = hip_emulator::counters().allocated_bytes + (1 << 20);
  EXPECT_THROW(backend->reserve(100000), DeviceError);
  hip_emulator::device().memory_limit = hip_emulator::Device().memory_limit;
  backend->upload(small_scene().model);
  EXPECT_EQ(backend->size(), 40u);
}

INSTANTIATE_TEST_SUITE_P(WaveSizes, GpuEmulated, testing::Values(32u, 64u),
                         [](const auto& wave) { return "Wave" + std::to_string(wave.param); });

}  // namespace
}  // namespace splat::test
