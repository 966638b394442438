// A training run as it stands between two iterations: for those who write its files and say something about it.
#pragma once

#include "app/settings/options.h"
#include "devices/registry.h"
#include "splat/model/dataset.h"
#include "splat/train/trainer.h"

namespace app {

// For how long it has trained, s.
struct TrainingTime {
  double before = 0;          // up to the checkpoint that it goes on from
  double here = 0;            // in this process
  double starting = 0;        // of that, before the first iteration
  double last_iteration = 0;  // moving average
  double all() const { return before + here; }
  double iterations_per_second() const { return last_iteration > 0 ? 1 / last_iteration : 0; }

  void add_iteration(double seconds) {
    constexpr double kLatest = 0.02;  // its weight in the average
    here += seconds;
    last_iteration = last_iteration == 0 ? seconds : last_iteration + kLatest * (seconds - last_iteration);
  }
};

struct RunNow {
  const Options& options;  // a resumed run's are the checkpoint's
  const splat::BackendChoice& backend;
  const splat::Dataset& dataset;
  const splat::Trainer& trainer;
  const TrainingTime& time;
};

}  // namespace app
