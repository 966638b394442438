#include "app/jobs/training/time_limit.h"

#include <algorithm>

namespace app {
namespace {

constexpr double kFollowShare = 0.005;  // of the limit: how often the schedules follow the clock
constexpr double kUsualPace = 100;      // iterations a second, until the run shows its own

}  // namespace

TimeLimit::TimeLimit(double minutes, const splat::TrainConfig& config, double starting_seconds)
    : seconds_(60 * minutes),
      starting_seconds_(starting_seconds),
      config_(config),
      followed_seconds_(starting_seconds) {}

int TimeLimit::first_guess(double minutes, int iterations) {
  return std::clamp(int(60 * minutes * kUsualPace), 1, iterations);
}

void TimeLimit::begin(Clock::time_point now) {
  began_ = now - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(starting_seconds_));
}

std::optional<splat::TrainConfig> TimeLimit::follow(int iteration, bool done, Clock::time_point now) {
  const double elapsed = std::chrono::duration<double>(now - began_).count();
  const bool over = elapsed >= seconds_;
  // What was estimated while the machine did something else is over too early.
  const bool early = done && seconds_ - elapsed > kFollowShare * seconds_;
  if (!over && !early && elapsed - followed_seconds_ < kFollowShare * seconds_) return std::nullopt;
  const double pace = (elapsed - followed_seconds_) / std::max(1, iteration - followed_iteration_);
  const double more = over ? 0 : std::min((seconds_ - elapsed) / std::max(pace, 1e-6), 1e6);
  followed_seconds_ = elapsed;
  followed_iteration_ = iteration;
  splat::TrainConfig config = config_;
  config.iterations = iteration + int(more) + (over ? 0 : 1);
  return config;
}

}  // namespace app
