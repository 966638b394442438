#include "app/jobs/training/time_left.h"

#include <algorithm>

#include "splat/densify/strategies.h"
#include "splat/train/resolution.h"

namespace app {
namespace {

constexpr int kMostParts = 200;    // in which the seconds of many iterations are summed
constexpr double kOfPixels = 0.8;  // of an iteration on whole photos with the first splats
constexpr double kUsualEnd = 1.8;  // of an iteration at the end, by one at first
constexpr double kLatest = 0.05;   // of the run's iterations: what is older hardly counts for its pace
constexpr double kFewest = 50, kMost = 500;

double pixels(int divisor) { return 1 / double(divisor * divisor); }

double seconds_of_one(const splat::TrainConfig& config, const RunPace& pace, int iteration) {
  const double of_pixels = pace.divisor > 1 ? (pace.first - pace.coarse) / (1 - pixels(pace.divisor)) : 0;
  const int divisor = splat::resolution_divisor(pace.divisor, config.progressive_until, iteration);
  return pace.first + (pace.end - pace.first) * splat::row_of(config.strategy).share_grown(config, iteration) -
         std::max(of_pixels, 0.0) * (1 - pixels(divisor));
}

}  // namespace

RunPace usual_pace(int divisor) { return {1, kUsualEnd, 1 - kOfPixels * (1 - pixels(divisor)), divisor}; }

double seconds_of(const splat::TrainConfig& config, const RunPace& pace, int from, int to) {
  if (to <= from) return 0;
  double seconds = 0;
  const int parts = std::min(to - from, kMostParts);
  for (int part = 0; part < parts; ++part)
    seconds += seconds_of_one(config, pace, from + int((part + 0.5) / parts * (to - from)));
  return seconds / parts * (to - from);
}

void TimeLeft::add_iteration(const splat::TrainConfig& config, int iteration, double seconds) {
  const double keeps = 1 - 1 / std::clamp(kLatest * config.iterations, kFewest, kMost);
  took_ = keeps * took_ + seconds;
  expected_ = keeps * expected_ + seconds_of_one(config, pace_, iteration);
}

double TimeLeft::seconds(const splat::TrainConfig& config, int iteration) const {
  return expected_ > 0 ? took_ / expected_ * seconds_of(config, pace_, iteration, config.iterations) : 0;
}

}  // namespace app
