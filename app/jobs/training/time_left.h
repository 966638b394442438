// What an iteration costs along a run: photos start small, and splats become more. By it a run is predicted before it
// starts (run_estimate.h), and what is left of it while it goes on: the present pace alone is that of the small photos.
#pragma once

#include "splat/train/config.h"

namespace app {

// Seconds of an iteration: with the first splats, with those at the end, with the first on photos divided by `divisor`.
// What counts for what is left are their ratios.
struct RunPace {
  double first = 1, end = 1, coarse = 1;
  int divisor = 1;
};

// The pace of a run that was not timed before: most of an iteration are its pixels, and at the end there are more
// splats.
RunPace usual_pace(int divisor);

// Seconds of the iterations from..to, to not included. What a pixel costs is what the first splats' photos save by
// being small.
double seconds_of(const splat::TrainConfig& config, const RunPace& pace, int from, int to);

class TimeLeft {
 public:
  void expect(const RunPace& pace) { pace_ = pace; }
  void add_iteration(const splat::TrainConfig& config, int iteration, double seconds);
  // Seconds of all iterations from this one on; 0: none has been timed yet. Cost: some microseconds.
  double seconds(const splat::TrainConfig& config, int iteration) const;

 private:
  RunPace pace_;
  double took_ = 0, expected_ = 0;  // s; moving sums: their ratio is how much slower this machine is than expected
};

}  // namespace app
