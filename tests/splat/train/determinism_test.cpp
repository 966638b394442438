// Same seed, same bytes: for every number of threads, and for a run that was interrupted and resumed. Compared is all
// that a checkpoint holds: parameters, moments, statistics, history.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "io/checkpoint.h"
#include "splat/backend/cpu/cpu_backend.h"
#include "splat/backend/reference/reference_backend.h"
#include "splat/train/trainer.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

using test::make_tiny_dataset;
using test::TinyDataset;

const test::TinyOptions kScene{.views = 12, .splats = 150, .points_per_splat = 4, .width = 75, .height = 52};

// Clones, splits, prunes and resets within `iterations`.
TrainConfig busy_config(int iterations) {
  TrainConfig config;
  config.iterations = iterations;
  config.strategy = StrategyKind::kAdc;
  config.seed = 11;
  config.sh_degree_interval = 15;
  config.background = BackgroundMode::kRandom;
  config.adc.from = 10;
  config.adc.until = iterations * 9 / 10;
  config.adc.every = 20;
  config.adc.opacity_reset_every = 70;
  config.adc.dense_fraction = 0.02f;
  config.max_splats = 2500;
  return config;
}

std::unique_ptr<Backend> cpu_backend(int threads) {
  Result<std::unique_ptr<CpuBackend>> backend = make_cpu_backend({.threads = threads});
  EXPECT_TRUE(backend.ok());
  return std::move(*backend);
}

struct Totals {
  size_t cloned = 0, split = 0, pruned = 0, relocated = 0, resets = 0;
};

void train(Trainer& trainer, int until, Totals& totals) {
  while (trainer.iteration() < until) {
    const Result<StepReport> step = trainer.step();
    ASSERT_TRUE(step.ok());
    totals.cloned += step->densify.cloned;
    totals.split += step->densify.split;
    totals.pruned += step->densify.pruned;
    totals.relocated += step->densify.relocated;
    totals.resets += step->densify.opacity_reset;
  }
}

// The state after config.iterations; from a checkpoint where one is given.
Archive state_after(const TrainConfig& config, int threads, Totals& totals, const Archive* checkpoint = nullptr,
                    int until = -1) {
  TinyDataset tiny = make_tiny_dataset(kScene);
  const std::unique_ptr<Backend> backend = cpu_backend(threads);
  Trainer trainer(config, {tiny.dataset, tiny.images, *backend, threads});
  const Status ready = checkpoint ? trainer.load_state(*checkpoint) : trainer.initialise();
  EXPECT_TRUE(ready.ok());
  train(trainer, until < 0 ? config.iterations : until, totals);
  Archive archive;
  trainer.save_state(archive);
  return archive;
}

void expect_same(const Archive& a, const Archive& b) {
  ASSERT_EQ(a.blobs.size(), b.blobs.size());
  for (const auto& [name, blob] : a.blobs) {
    ASSERT_TRUE(b.blobs.contains(name)) << name;
    EXPECT_TRUE(blob == b.blobs.at(name)) << name << " differs";
  }
}

TEST(Determinism, ThreadsDoNotMatter) {
  Totals totals;
  const TrainConfig config = busy_config(300);
  const Archive one = state_after(config, 1, totals);
  EXPECT_GT(totals.cloned, 0u);
  EXPECT_GT(totals.split, 0u);
  EXPECT_GT(totals.pruned, 0u);
  EXPECT_EQ(totals.resets, 3u);
  for (int threads : {2, 5}) expect_same(one, state_after(config, threads, totals));
}

TEST(Determinism, OfPackedMoments) {
  TrainConfig config = busy_config(60);
  config.bfloat16_moments = 1;
  Totals totals;
  const Archive one = state_after(config, 1, totals), half = state_after(config, 1, totals, nullptr, 30);
  expect_same(one, state_after(config, 5, totals));
  expect_same(one, state_after(*load_config(half), 2, totals, &half));
  config.bfloat16_moments = 0;
  EXPECT_NE(one.blobs.at("model/means"), state_after(config, 1, totals).blobs.at("model/means"));
}

TEST(Determinism, SeedsMatter) {
  Totals totals;
  TrainConfig config = busy_config(30);
  const Archive one = state_after(config, 2, totals);
  config.seed = 12;
  EXPECT_NE(one.blobs.at("model/means"), state_after(config, 2, totals).blobs.at("model/means"));
}

TEST(Determinism, ResumingGivesTheUninterruptedRun) {
  const TrainConfig config = busy_config(120);
  Totals whole, before, after;
  const Archive uninterrupted = state_after(config, 2, whole);
  const test::TempFolder folder;
  const auto path = folder.path() / "half.ckpt";
  for (int interruption : {45, 60}) {  // between densifications, and right after one
    before = after = {};
    ASSERT_TRUE(io::write_checkpoint(path, state_after(config, 1, before, nullptr, interruption)).ok());
    const Result<Archive> checkpoint = io::read_checkpoint(path);
    ASSERT_TRUE(checkpoint.ok());
    expect_same(uninterrupted, state_after(*load_config(*checkpoint), 2, after, &*checkpoint));
    EXPECT_GT(before.cloned + before.split, 0u);
    EXPECT_GT(after.cloned + after.split, 0u);
    EXPECT_EQ(before.split + after.split, whole.split);
  }
}

TEST(Determinism, ACheckpointThatIsOlderThanASettingResumes) {
  const TrainConfig config = busy_config(30);
  Totals totals;
  Archive checkpoint = state_after(config, 1, totals, nullptr, 20);
  ASSERT_EQ(checkpoint.blobs.erase("config/low_pass"), 1u);
  expect_same(state_after(config, 1, totals), state_after(*load_config(checkpoint), 1, totals, &checkpoint));
}

// Leaves out some splats in every iteration.
TrainConfig leaving_out(int iterations) {
  TrainConfig config = busy_config(iterations);
  config.strategy = StrategyKind::kBudget;
  return config;
}

// Rows that were away make up for steps by the rates of then, also where these are not the schedule's any more.
TEST(Determinism, ResumingAfterRatesHaveChangedGivesTheUninterruptedRun) {
  TrainConfig config = leaving_out(60);
  const auto trained = [&](const Archive* checkpoint, int until) {
    TinyDataset tiny = make_tiny_dataset(kScene);
    const std::unique_ptr<Backend> backend = cpu_backend(1);
    Trainer trainer(checkpoint ? *load_config(*checkpoint) : config, {tiny.dataset, tiny.images, *backend, 1});
    EXPECT_TRUE((checkpoint ? trainer.load_state(*checkpoint) : trainer.initialise()).ok());
    Totals totals;
    if (!checkpoint) {
      train(trainer, 29, totals);
      TrainConfig changed = config;
      changed.rates.opacity *= 0.1f, changed.rates.mean_last *= 10, changed.rates.sh0 *= 3;
      trainer.retarget(changed);
    }
    train(trainer, until, totals);
    Archive archive;
    trainer.save_state(archive);
    return archive;
  };
  Archive checkpoint = trained(nullptr, 31);
  const Archive through = trained(nullptr, 60);
  expect_same(through, trained(&checkpoint, 60));
  ASSERT_EQ(checkpoint.blobs.erase("trainer/rates"), 1u);  // of an older version: by the schedule
  EXPECT_NE(through.blobs.at("model/means"), trained(&checkpoint, 60).blobs.at("model/means"));
}

TEST(Determinism, ACheckpointWithoutRatesTakesThoseOfTheSchedule) {
  const TrainConfig config = leaving_out(60);
  Totals totals;
  Archive checkpoint = state_after(config, 1, totals, nullptr, 31);
  ASSERT_EQ(checkpoint.blobs.erase("trainer/rates"), 1u);
  expect_same(state_after(config, 1, totals), state_after(*load_config(checkpoint), 1, totals, &checkpoint));
}

TEST(Determinism, ResumingPastTheTargetKeepsTheSchedule) {
  Totals totals;
  const Archive checkpoint = state_after(busy_config(40), 1, totals);
  TrainConfig longer = *load_config(checkpoint);
  longer.iterations = 70;
  const Archive resumed = state_after(longer, 1, totals, &checkpoint);
  expect_same(state_after(longer, 1, totals), resumed);
  TrainConfig schedule = *load_config(resumed);
  EXPECT_EQ(schedule.mean_lr_steps, 40);
  EXPECT_EQ(schedule.adc.until, 36);
}

TEST(Determinism, OfASurface) {
  TrainConfig config = busy_config(60);
  config.surface = true;
  config.surface_distortion = 10;
  Totals totals;
  const Archive uninterrupted = state_after(config, 1, totals);
  expect_same(uninterrupted, state_after(config, 3, totals));
  for (int interruption : {4, 45}) {  // before and after normals are compared
    const Archive checkpoint = state_after(config, 2, totals, nullptr, interruption);
    expect_same(uninterrupted, state_after(*load_config(checkpoint), 2, totals, &checkpoint));
  }
  config.surface = false;
  EXPECT_NE(uninterrupted.blobs.at("model/quats"), state_after(config, 1, totals).blobs.at("model/quats"));
}

// ---- every strategy there is

class EveryStrategy : public ::testing::TestWithParam<StrategyKind> {
 protected:
  // As busy_config(), each strategy at work every 20 iterations.
  static TrainConfig config(int iterations) {
    TrainConfig config = busy_config(iterations);
    config.strategy = GetParam();
    config.mcmc.from = config.budget.from = 10;
    config.mcmc.until = config.budget.last = iterations * 9 / 10;
    config.mcmc.every = config.budget.every = 20;
    config.adc.prune_opacity = config.budget.prune_opacity = 0.09f;
    config.mcmc.dead_opacity = 0.1f;  // so that there are some
    config.mcmc.initial_opacity = 0.12f;
    config.budget.until = iterations / 2;
    config.budget.per_detail = 100;
    return config;
  }
};
std::string strategy_name(const ::testing::TestParamInfo<StrategyKind>& info) { return name_of(info.param); }
std::vector<StrategyKind> every_kind() {
  std::vector<StrategyKind> kinds;
  for (const StrategyRow& row : strategies()) kinds.push_back(row.kind);
  return kinds;
}
INSTANTIATE_TEST_SUITE_P(Determinism, EveryStrategy, ::testing::ValuesIn(every_kind()), strategy_name);

TEST_P(EveryStrategy, ThreadsDoNotMatter) {
  Totals totals;
  const Archive one = state_after(config(100), 1, totals);
  EXPECT_GT(totals.cloned + totals.split, 0u);
  EXPECT_GT(totals.pruned + totals.relocated, 0u);
  expect_same(one, state_after(config(100), 3, totals));
}

TEST_P(EveryStrategy, ResumingGivesTheUninterruptedRun) {
  Totals whole, before, after;
  const Archive uninterrupted = state_after(config(100), 2, whole);
  for (int interruption : {5, 45, 60}) {  // before the first step, between steps, and right after one
    const Archive checkpoint = state_after(config(100), 1, before, nullptr, interruption);
    expect_same(uninterrupted, state_after(*load_config(checkpoint), 2, after, &checkpoint));
  }
}

// Among the questions asked within a step of density control, the one after `no` others is answered with yes; then it
// goes on, and from a checkpoint. How many were asked.
int stop_in_step(const TrainConfig& config, int step, int no, const Archive& uninterrupted) {
  TinyDataset tiny = make_tiny_dataset(kScene);
  const std::unique_ptr<Backend> backend = cpu_backend(2);
  std::atomic<int> asked{0}, answered_no{1 << 30};
  Trainer trainer(config, {tiny.dataset, tiny.images, *backend, 2, 0, {}, {}, [&] { return asked++ >= answered_no; }});
  EXPECT_TRUE(trainer.initialise().ok());
  Totals totals;
  train(trainer, step, totals);
  asked = 0, answered_no = no;
  bool stopped = false;
  try {
    EXPECT_TRUE(trainer.step().ok());
  } catch (const Stopped&) {
    stopped = true;
  }
  const int questions = asked;
  EXPECT_EQ(stopped, questions > no);
  EXPECT_EQ(trainer.iteration(), stopped ? step : step + 1);
  answered_no = 1 << 30;
  Archive checkpoint, gone_on;
  trainer.save_state(checkpoint);
  expect_same(uninterrupted, state_after(*load_config(checkpoint), 2, totals, &checkpoint));
  train(trainer, config.iterations, totals);
  trainer.save_state(gone_on);
  expect_same(uninterrupted, gone_on);
  return questions;
}

TEST_P(EveryStrategy, AStoppedStepGoesOnToTheSameBytes) {
  Totals totals;
  const Archive uninterrupted = state_after(config(30), 2, totals);
  const int questions = stop_in_step(config(30), 20, 1 << 20, uninterrupted);
  EXPECT_GT(questions, 0);
  for (int no = 0; no < questions; no += 1 + questions / 8) stop_in_step(config(30), 20, no, uninterrupted);
  stop_in_step(config(30), 20, questions - 1, uninterrupted);
}

// The reference keeps more digits than a checkpoint: the runs agree, but not to the last bit.
TEST(Determinism, ResumingOnTheReferenceBackend) {
  TrainConfig config = busy_config(40);
  config.max_splats = 150;
  auto run = [&](const Archive* checkpoint, int until) {
    TinyDataset tiny = make_tiny_dataset();
    const std::unique_ptr<Backend> backend = make_reference_backend();
    Trainer trainer(config, {tiny.dataset, tiny.images, *backend, 1});
    EXPECT_TRUE((checkpoint ? trainer.load_state(*checkpoint) : trainer.initialise()).ok());
    Totals totals;
    train(trainer, until, totals);
    Archive archive;
    trainer.save_state(archive);
    return archive;
  };
  const Archive half = run(nullptr, 15);
  const Archive resumed = run(&half, 40), uninterrupted = run(nullptr, 40);
  const auto have = *resumed.get_array<float>("model/sh"), want = *uninterrupted.get_array<float>("model/sh");
  ASSERT_EQ(have.size(), want.size());
  for (size_t i = 0; i < have.size(); ++i) ASSERT_NEAR(have[i], want[i], 1e-4);
}

}  // namespace
}  // namespace splat
