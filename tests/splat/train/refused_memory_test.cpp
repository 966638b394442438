// Memory that is refused while the model grows: nothing is lost, growth stops, training goes on.
#include <gtest/gtest.h>

#include <new>

#include "splat/backend/reference/reference_backend.h"
#include "splat/train/trainer.h"
#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

// As a machine with room for this number of splats.
class SmallMachine : public ReferenceBackend {
 public:
  explicit SmallMachine(size_t room) : room_(room) {}
  void reserve(size_t splats) override {
    if (splats > room_) throw std::bad_alloc();
  }
  void keep_and_copy_rows(std::span<const uint32_t> kept, std::span<const uint32_t> sources,
                          const Ellipsoids& copies) override {
    if (kept.size() + sources.size() > room_) throw std::bad_alloc();
    ReferenceBackend::keep_and_copy_rows(kept, sources, copies);
  }

 private:
  size_t room_;
};

TrainConfig growing() {
  TrainConfig config;
  config.iterations = 12;
  config.strategy = StrategyKind::kAdc;
  config.adc.from = 1;
  config.adc.every = 3;
  config.adc.until = 11;
  config.adc.gradient_threshold = 1e-9f;
  config.adc.prune_opacity = 1e-6f;
  return resolve_config(config);
}

TEST(RefusedMemory, GrowthStopsAndTrainingGoesOn) {
  test::TinyDataset tiny = test::make_tiny_dataset();
  SmallMachine backend(tiny.dataset.points.size() + 10);
  Trainer trainer(growing(), {tiny.dataset, tiny.images, backend, 1});
  ASSERT_TRUE(trainer.initialise().ok());
  size_t withheld = 0;
  while (!trainer.done()) {
    const auto step = trainer.step();
    ASSERT_TRUE(step.ok());
    withheld += step->densify.withheld;
  }
  EXPECT_GT(withheld, 0u);
  EXPECT_GT(trainer.splats(), 0u);
  EXPECT_LE(trainer.splats(), tiny.dataset.points.size() + 10);
}

// Refuses to grow once, and notes whether the strategy had changed rows before it asked.
class RefusingOnce : public ReferenceBackend {
 public:
  bool refused = false, changed_before = false;
  void forward(const View& view, const RenderSettings& settings) override {
    changed_ = false;
    ReferenceBackend::forward(view, settings);
  }
  void reserve(size_t splats) override {
    if (refused || splats <= size()) return;
    refused = true;
    changed_before = changed_;
    throw std::bad_alloc();
  }
  void keep_and_copy_rows(std::span<const uint32_t> kept, std::span<const uint32_t> sources,
                          const Ellipsoids& copies) override {
    changed_ = true;
    ReferenceBackend::keep_and_copy_rows(kept, sources, copies);
  }
  void copy_rows(std::span<const uint32_t> sources, std::span<const uint32_t> targets, const Ellipsoids& copies,
                 bool reset_moments) override {
    changed_ = true;
    ReferenceBackend::copy_rows(sources, targets, copies, reset_moments);
  }
  void lower_opacity(float by, float least) override {  // twice where the strategy is asked again
    changed_ = true;
    ReferenceBackend::lower_opacity(by, least);
  }
  void limit_opacity(float max_opacity) override {
    changed_ = true;
    ReferenceBackend::limit_opacity(max_opacity);
  }
  void add_noise(const MeanNoise& noise) override {
    changed_ = true;
    ReferenceBackend::add_noise(noise);
  }

 private:
  bool changed_ = false;
};

TEST(RefusedMemory, EveryStrategyAsksForItBeforeItChangesRows) {
  for (const StrategyRow& row : strategies()) {
    test::TinyDataset tiny = test::make_tiny_dataset();
    TrainConfig config;
    config.iterations = 60;
    config.strategy = row.kind;
    config.far_points = 0;  // fewer than the budget at the start
    config.adc = growing().adc;
    config.mcmc.from = 1, config.mcmc.every = 3, config.mcmc.until = 30, config.mcmc.growth = 0.1f;
    config.budget.from = 1, config.budget.every = 3, config.budget.per_detail = 50;
    RefusingOnce backend;
    Trainer trainer(resolve_config(config), {tiny.dataset, tiny.images, backend, 1});
    ASSERT_TRUE(trainer.initialise().ok()) << row.name;
    while (!trainer.done()) ASSERT_TRUE(trainer.step().ok()) << row.name;
    EXPECT_TRUE(backend.refused) << row.name << " did not grow";
    EXPECT_FALSE(backend.changed_before) << row.name;
  }
}

// The rows are as they were before: what is saved then goes on as if nothing had happened.
TEST(RefusedMemory, AStepThatFailsLeavesTheStateOfTheIterationBefore) {
  test::TinyDataset tiny = test::make_tiny_dataset(), again = test::make_tiny_dataset();
  class Failing : public ReferenceBackend {
   public:
    bool failing = false;
    void forward(const View& view, const RenderSettings& settings) override {
      if (failing) throw std::bad_alloc();
      ReferenceBackend::forward(view, settings);
    }
  } backend;
  Trainer trainer(growing(), {tiny.dataset, tiny.images, backend, 1});
  ASSERT_TRUE(trainer.initialise().ok());
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(trainer.step().ok());
  backend.failing = true;
  EXPECT_THROW((void)trainer.step(), std::bad_alloc);
  EXPECT_EQ(trainer.iteration(), 4);
  backend.failing = false;
  for (int i = 4; i < 12; ++i) ASSERT_TRUE(trainer.step().ok());

  ReferenceBackend undisturbed;
  Trainer other(growing(), {again.dataset, again.images, undisturbed, 1});
  ASSERT_TRUE(other.initialise().ok());
  while (!other.done()) ASSERT_TRUE(other.step().ok());
  EXPECT_EQ(trainer.model().means, other.model().means);
}

}  // namespace
}  // namespace splat
