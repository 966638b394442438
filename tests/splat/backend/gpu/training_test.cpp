// Training of the demo's views, small, on the emulated GPU: the loss falls as on the CPU.
#include <gtest/gtest.h>

#include <cmath>

#include "io/dataset/image_store.h"
#include "io/dataset/load_dataset.h"
#include "splat/backend/cpu/cpu_backend.h"
#include "splat/backend/gpu/gpu_backend.h"
#include "splat/train/trainer.h"
#include "tests/support/hip_emulator/hip_emulator.h"
#include "tests/support/test_paths.h"

namespace splat::test {
namespace {

constexpr int kIterations = 300;

struct Demo {
  Dataset dataset;
  std::unique_ptr<ImageSource> photos;
};

// The photos at 32x24 and every thirtieth point: an iteration of the emulator then takes some 20 ms.
Demo open_demo() {
  io::DatasetOptions options;
  options.resolution = 32;
  auto loaded = io::load_dataset(test_paths::source() / "assets/demo", options);
  EXPECT_TRUE(loaded.ok());
  Demo demo{std::move(*loaded), nullptr};
  PointCloud few;
  for (size_t i = 0; i < demo.dataset.points.size(); i += 30)
    for (size_t c = 0; c < 3; ++c) {
      few.xyz.push_back(demo.dataset.points.xyz[3 * i + c]);
      few.rgb.push_back(demo.dataset.points.rgb[3 * i + c]);
    }
  demo.dataset.points = few;
  auto photos = io::open_images(demo.dataset, {size_t(1) << 30, 1, {}});
  EXPECT_TRUE(photos.ok());
  demo.photos = std::move(*photos);
  return demo;
}

// The mean loss of the last fifth of the run.
double train(Demo& demo, Backend& backend, size_t& splats) {
  TrainConfig config;
  config.iterations = kIterations;
  config.seed = 1;
  config.strategy = StrategyKind::kAdc;
  config.adc.from = 50;
  config.adc.every = 50;
  config.max_splats = 800;
  Trainer trainer(resolve_config(config), {demo.dataset, *demo.photos, backend, 1});
  EXPECT_TRUE(trainer.initialise().ok());
  double total = 0;
  int counted = 0;
  while (!trainer.done()) {
    const auto report = trainer.step();
    EXPECT_TRUE(report.ok());
    if (!report) break;
    if (report->iteration > kIterations * 4 / 5) total += report->loss.total, ++counted;
  }
  splats = trainer.splats();
  return total / counted;
}

TEST(EmulatedTraining, ReachesTheLossOfTheCpu) {
  Demo demo = open_demo();
  auto cpu = make_cpu_backend({1, cpu::SimdLevel::kAuto});
  ASSERT_TRUE(cpu.ok());
  hip_emulator::device() = {};
  const auto gpu = make_gpu_backend({.name = "emulated"});
  size_t cpu_splats = 0, gpu_splats = 0;
  const double on_cpu = train(demo, **cpu, cpu_splats), on_gpu = train(demo, *gpu, gpu_splats);
  std::printf("loss %.5f on the CPU with %zu splats, %.5f on the emulated GPU with %zu\n", on_cpu, cpu_splats, on_gpu,
              gpu_splats);
  EXPECT_LT(on_cpu, 0.2);
  EXPECT_NEAR(on_gpu, on_cpu, 0.02 * on_cpu);
  EXPECT_NEAR(double(gpu_splats), double(cpu_splats), 0.05 * double(cpu_splats));
}

}  // namespace
}  // namespace splat::test
