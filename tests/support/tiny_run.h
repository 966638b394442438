// A training run on a dataset made up in memory: on the CPU's backend, from start() or a checkpoint on.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "splat/backend/cpu/cpu_backend.h"
#include "splat/train/trainer.h"
#include "tests/support/tiny_dataset.h"

namespace splat::test {

struct TinyRun {
  TinyDataset tiny;
  TrainConfig config;
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Trainer> trainer;

  explicit TinyRun(const TinyOptions& options) : tiny(make_tiny_dataset(options)) {}

  // With dataset and config as they are now.
  void make_trainer(int threads) {
    backend = std::move(*make_cpu_backend({.threads = threads}));
    trainer = std::make_unique<Trainer>(config, TrainerInputs{tiny.dataset, tiny.images, *backend, threads});
  }
  void train(int until) {
    while (trainer->iteration() < until) {
      const auto step = trainer->step();
      ASSERT_TRUE(step.ok()) << step.error().message;
    }
  }
  Archive state() const {
    Archive archive;
    trainer->save_state(archive);
    return archive;
  }
};

}  // namespace splat::test
