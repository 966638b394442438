// --minutes: a run's schedules are stretched to the iterations that there is time for, at the pace that it has, and the
// run ends when time is up.
#pragma once

#include <chrono>
#include <optional>

#include "splat/train/config.h"

namespace app {

class TimeLimit {
 public:
  using Clock = std::chrono::steady_clock;
  // `config`: the settings to stretch, not resolved yet. Before its first iteration the run took `starting_seconds`,
  // which count.
  TimeLimit(double minutes, const splat::TrainConfig& config, double starting_seconds);

  static int first_guess(double minutes, int iterations);  // how many, until the clock says better; at most these

  void begin(Clock::time_point now);  // with the first iteration
  // After an iteration: the settings from now on, where they are to change. done: it was the last one planned so far.
  std::optional<splat::TrainConfig> follow(int iteration, bool done, Clock::time_point now);

 private:
  double seconds_, starting_seconds_;
  splat::TrainConfig config_;
  Clock::time_point began_{};
  double followed_seconds_;     // when the settings changed last,
  int followed_iteration_ = 0;  // and where
};

}  // namespace app
