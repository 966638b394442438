// The trainer on the emulated GPU: losses that come one iteration late, and splats that fill the device's memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "splat/backend/gpu/gpu_backend.h"
#include "splat/backend/with_fixed_rows.h"
#include "splat/core/device_error.h"
#include "splat/train/trainer.h"
#include "tests/support/hip_emulator/hip_emulator.h"
#include "tests/support/tiny_dataset.h"

namespace splat::test {
namespace {

class EmulatedTrainer : public testing::Test {
 protected:
  void SetUp() override { hip_emulator::device() = {}; }
  void TearDown() override { hip_emulator::device() = {}; }

  // Everything grows at every step of density control.
  static TrainConfig growing(int iterations) {
    TrainConfig config;
    config.iterations = iterations;
    config.sh_degree = 1;
    config.strategy = StrategyKind::kAdc;
    config.adc.from = 9;
    config.adc.until = iterations;
    config.adc.every = 5;
    config.adc.gradient_threshold = 0;
    config.adc.opacity_reset_every = 0;
    return config;
  }

  TinyDataset tiny_ = make_tiny_dataset({.width = 24, .height = 20});
};

TEST_F(EmulatedTrainer, DivergenceNamesTheViewAndIterationItWasIn) {
  const auto backend = make_gpu_backend({.name = "emulated"});
  Trainer trainer(growing(60), {tiny_.dataset, tiny_.images, *backend, 1});
  ASSERT_TRUE(trainer.initialise().ok());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(trainer.step().ok());
  Gaussians broken = trainer.model();
  std::fill(broken.sh.begin(), broken.sh.end(), 1e28f);  // its square is none any more
  std::vector<uint32_t> rows(broken.size());
  for (uint32_t i = 0; i < rows.size(); ++i) rows[i] = i;
  backend->write_rows(rows, broken, false);
  ASSERT_TRUE(trainer.step().ok()) << "its loss is known only in the next";
  const int view = tiny_.images.asked.back();
  const Result<StepReport> step = trainer.step();
  ASSERT_FALSE(step.ok());
  EXPECT_NE(tiny_.images.asked.back(), view);
  EXPECT_TRUE(trainer.diverged());
  EXPECT_EQ(step.error().message, "training diverged: the loss of " + tiny_.dataset.views[size_t(view)].name +
                                      " is not a number in iteration 4; try lower learning rates");
}

// Beside fixed rows, here none, the rows are downloaded and judged by the host.
TEST_F(EmulatedTrainer, DensityControlOnTheDeviceTrainsToTheBytesOfTheHosts) {
  TrainConfig config = growing(20);
  config.strategy = StrategyKind::kBudget;
  config.budget.from = 5, config.budget.until = 16, config.budget.last = 19, config.budget.every = 8;
  config.budget.per_detail = 100, config.budget.prune_opacity = 0.09f, config.budget.nearer = 1.5f;
  Archive states[2];
  for (const bool by_host : {false, true}) {
    std::unique_ptr<Backend> backend = make_gpu_backend({.name = "emulated", .ordered = true});
    if (by_host) backend = with_fixed_rows(std::move(backend), {});
    Trainer trainer(config, {tiny_.dataset, tiny_.images, *backend, 1});
    ASSERT_TRUE(trainer.initialise().ok());
    size_t split = 0, pruned = 0;
    while (!trainer.done()) {
      const auto step = trainer.step();
      ASSERT_TRUE(step.ok());
      split += step->densify.split, pruned += step->densify.pruned;
    }
    EXPECT_GT(split, 20u);
    EXPECT_GT(pruned, 0u);
    trainer.save_state(states[by_host]);
  }
  EXPECT_EQ(states[0].blobs, states[1].blobs);
}

// Masked and half transparent ones among them.
TEST_F(EmulatedTrainer, PhotosThatTheDeviceKeepsAreFetchedOnceForTheSameResult) {
  tiny_.images.photos[1].alpha.assign(24 * 20, 128);
  tiny_.images.photos[1].background = {0.2f, 0.4f, 0.6f};
  TrainConfig config = growing(20);
  config.exposure = ExposureMode::kOff;  // photos are asked for by the steps alone
  Gaussians results[2];
  for (const bool keeps : {true, false}) {
    hip_emulator::device().reported_memory = keeps ? 0 : 1;  // no room for photos
    const auto backend = make_gpu_backend({.name = "emulated", .ordered = true});
    hip_emulator::device().reported_memory = 0;
    Trainer trainer(config, {tiny_.dataset, tiny_.images, *backend, 1});
    ASSERT_TRUE(trainer.initialise().ok());
    tiny_.images.asked.clear();
    while (!trainer.done()) {
      ASSERT_TRUE(trainer.step().ok());
      EXPECT_TRUE(!keeps || trainer.iteration() <= 8 || tiny_.images.announced.empty()) << trainer.iteration();
    }
    EXPECT_EQ(tiny_.images.asked.size(), keeps ? tiny_.dataset.training_views().size() : 20u);
    results[keeps] = trainer.model();
  }
  EXPECT_EQ(results[0].means, results[1].means);
  EXPECT_EQ(results[0].sh, results[1].sh);
  EXPECT_EQ(results[0].logit_opacities, results[1].logit_opacities);
}

// A device that lets go of its photos gets them again.
TEST_F(EmulatedTrainer, PhotosThatGaveWayAreFetchedAgain) {
  TrainConfig config = growing(30);
  config.exposure = ExposureMode::kOff;
  const auto backend = make_gpu_backend({.name = "emulated"});
  Trainer trainer(config, {tiny_.dataset, tiny_.images, *backend, 1});
  ASSERT_TRUE(trainer.initialise().ok());
  while (trainer.iteration() < 8) ASSERT_TRUE(trainer.step().ok());
  tiny_.images.asked.clear();
  Gaussians more = trainer.model();
  more.resize(100'000);
  hip_emulator::device().memory_limit = hip_emulator::counters().allocated_bytes;
  EXPECT_THROW(backend->append_rows(more), DeviceError);
  hip_emulator::device().memory_limit = size_t(1) << 32;
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(trainer.step().ok());
  EXPECT_EQ(tiny_.images.asked.size(), 8u);
}

// The number that fits in memory is reserved at the start, without anybody having asked for a number.
TEST_F(EmulatedTrainer, GrowthToTheMemorysLimitAllocatesNothing) {
  const auto backend = make_gpu_backend({.name = "emulated"});
  TrainerInputs inputs{tiny_.dataset, tiny_.images, *backend, 1};
  inputs.splats_in_memory = 150;
  Trainer trainer(growing(30), inputs);
  ASSERT_TRUE(trainer.initialise().ok());
  const size_t at_start = trainer.splats();
  while (trainer.iteration() < 9) ASSERT_TRUE(trainer.step().ok());  // every photo was seen
  hip_emulator::device().full_after_allocations = hip_emulator::counters().allocations;
  while (!trainer.done()) ASSERT_TRUE(trainer.step().ok());
  EXPECT_LT(at_start, 150u);
  EXPECT_EQ(trainer.splats(), 150u);
}

// Less memory than was predicted: growth stops where it ends, and the run finishes.
// In the second case what a refused attempt had got leaves no room for a copy of what there was before it.
TEST_F(EmulatedTrainer, MemoryThatIsNotThereStopsGrowthEarlier) {
  for (const size_t free : {size_t(400'000), size_t(440'000)}) {
    TinyDataset tiny = make_tiny_dataset({.width = 16, .height = 12});
    hip_emulator::device().memory_limit = hip_emulator::counters().allocated_bytes + free;
    const auto backend = make_gpu_backend({.name = "emulated"});
    TrainerInputs inputs{tiny.dataset, tiny.images, *backend, 1};
    inputs.splats_in_memory = 100'000;
    TrainConfig config = growing(30);
    config.max_splats = 90'000;
    Trainer trainer(config, inputs);
    ASSERT_TRUE(trainer.initialise().ok());
    const size_t at_start = trainer.splats();
    while (!trainer.done()) ASSERT_TRUE(trainer.step().ok());
    EXPECT_GT(trainer.splats(), at_start) << free;
    EXPECT_LT(trainer.splats(), 600u) << "at 540 bytes each, of SH degree 1";
  }
}

// Where a GPU works in the host's memory, only what is asked for is reserved.
TEST_F(EmulatedTrainer, AnIntegratedGpuReservesOnRequest) {
  hip_emulator::device().integrated = true;
  size_t held[2];
  for (bool asked : {false, true}) {
    const auto backend = make_gpu_backend({.name = "emulated"});
    TrainConfig config = growing(30);
    if (asked) config.max_splats = 5000;
    TrainerInputs inputs{tiny_.dataset, tiny_.images, *backend, 1};
    inputs.splats_in_memory = 5000;
    Trainer trainer(config, inputs);
    ASSERT_TRUE(trainer.initialise().ok());
    held[asked] = backend->memory_bytes();
  }
  EXPECT_LT(held[0], 1'000'000u);
  EXPECT_GT(held[1], 2'000'000u);
}

}  // namespace
}  // namespace splat::test
