// Training of the demo's views, small, on the emulated GPU: the loss falls as on the CPU.
#include <gtest/gtest.h>

#include <cmath>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/backend/gpu/gpu_backend.h"
#include "splat/train/trainer.h"
#include "tests/support/hip_emulator/hip_emulator.h"
#include "tests/support/small_demo.h"

namespace splat::test {
namespace {

constexpr int kIterations = 300;
constexpr int kLongestPx = 32;  // an iteration of the emulator then takes some 20 ms

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
  Demo demo = open_demo(kLongestPx);
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
