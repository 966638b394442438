// Trainer::finish() on a device that fails then.
#include <gtest/gtest.h>

#include "splat/backend/reference/reference_backend.h"
#include "splat/core/device_error.h"
#include "splat/train/trainer.h"
#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

class FailingBackend : public ReferenceBackend {
 public:
  bool fails = false;
  void forward(const View& view, const RenderSettings& settings) override {
    if (fails) throw DeviceError("hipMalloc", "out of memory", 100, 10);
    ReferenceBackend::forward(view, settings);
  }
};

TEST(TrainerFinish, WhatWasTrainedOutlivesADeviceThatFailsAtTheEnd) {
  test::TinyDataset tiny = test::make_tiny_dataset({.views = 50, .splats = 10, .width = 16, .height = 16});
  TrainConfig config;
  config.iterations = 3;
  config.strategy = StrategyKind::kBudget;
  FailingBackend backend;
  Trainer trainer(config, {tiny.dataset, tiny.images, backend, 1});
  ASSERT_TRUE(trainer.initialise().ok());
  while (!trainer.done()) ASSERT_TRUE(trainer.step().ok());
  Archive before, after;
  trainer.save_state(before);
  backend.fails = true;
  EXPECT_THROW(trainer.finish(), DeviceError);
  trainer.save_state(after);
  EXPECT_EQ(after.blobs, before.blobs);
  backend.fails = false;
  const size_t splats = trainer.splats();
  EXPECT_EQ(trainer.finish() + trainer.splats(), splats);
}

}  // namespace
}  // namespace splat
