// Memory that is refused while the model grows: nothing is lost, growth stops, training goes on.
#include <gtest/gtest.h>

#include <new>

#include "splat/backend/reference/reference_backend.h"
#include "splat/train/trainer.h"
#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

// As a machine with room for so many splats.
class SmallMachine : public ReferenceBackend {
 public:
  explicit SmallMachine(size_t room) : room_(room) {}
  void reserve(size_t splats) override {
    if (splats > room_) throw std::bad_alloc();
  }
  void append_rows(const Gaussians& rows) override {
    if (size() + rows.size() > room_) throw std::bad_alloc();
    ReferenceBackend::append_rows(rows);
  }

 private:
  size_t room_;
};

TrainConfig growing() {
  TrainConfig config;
  config.iterations = 12;
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
