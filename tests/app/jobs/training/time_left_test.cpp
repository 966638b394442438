#include "app/jobs/training/time_left.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "splat/train/config.h"

namespace app {
namespace {

splat::TrainConfig config_of(splat::StrategyKind strategy, int iterations, int divisor) {
  splat::TrainConfig config;
  config.strategy = strategy, config.iterations = iterations;
  config = splat::resolve_config(config);
  config.progressive_divisor = divisor;
  if (divisor > 1) config.progressive_until = iterations * 2 / 5;
  return config;
}

// The largest factor between what is said to be left and what is, from a hundredth of the run on.
double worst(const splat::TrainConfig& config, const RunPace& said, const RunPace& really, double slower) {
  TimeLeft left;
  left.expect(said);
  double factor = 1;
  for (int i = 0; i < config.iterations; ++i) {
    left.add_iteration(config, i, slower * seconds_of(config, really, i, i + 1));
    const double rest = slower * seconds_of(config, really, i + 1, config.iterations);
    if (i % 50 != 0 || i < config.iterations / 100 || rest <= 0) continue;
    factor = std::max(factor, std::exp(std::abs(std::log(left.seconds(config, i + 1) / rest))));
  }
  return factor;
}

TEST(TimeLeft, CountsTheWholePhotosToCome) {
  const splat::TrainConfig config = config_of(splat::StrategyKind::kBudget, 7000, 5);
  const RunPace pace{0.1, 0.2, 0.02, 5};
  TimeLeft left;
  EXPECT_EQ(left.seconds(config, 0), 0) << "no iteration was timed";
  left.expect(pace);
  for (int i = 0; i < 100; ++i) left.add_iteration(config, i, seconds_of(config, pace, i, i + 1));
  const double all = seconds_of(config, pace, 0, config.iterations);
  EXPECT_NEAR(left.seconds(config, 100) / all, 1, 0.02);
  EXPECT_GT(all, 3 * 7000 * 0.02) << "the present pace would say a fraction";
  EXPECT_LT(worst(config, pace, pace, 1), 1.01);
  EXPECT_LT(worst(config, pace, pace, 7), 1.01) << "a slower machine is the same run";
}

// What was not timed before: the worst of what real runs have, and never as far off as the present pace.
TEST(TimeLeft, IsAboutRightWithoutAPrediction) {
  for (const int divisor : {1, 2, 3, 8})
    for (const double of_pixels : {0.6, 0.8, 0.9})
      for (const double end : {1.2, 2.5}) {
        const splat::TrainConfig config = config_of(splat::StrategyKind::kBudget, 1500, divisor);
        const RunPace really{1, end, 1 - of_pixels * (1 - 1.0 / (divisor * divisor)), divisor};
        const double present_pace = worst(config, {1, 1, 1, 1}, really, 0.01);
        EXPECT_LT(worst(config, usual_pace(divisor), really, 0.01), std::max(2.9, 0.5 * present_pace))
            << divisor << " " << of_pixels << " " << end;
      }
}

TEST(TimeLeft, IsThatOfEveryStrategyAndOfARunThatGoesOn) {
  for (const splat::StrategyKind strategy : {splat::StrategyKind::kBudget, splat::StrategyKind::kMcmc}) {
    const splat::TrainConfig config = config_of(strategy, 2000, 1);
    const RunPace pace{1, 3, 1, 1};
    TimeLeft left;
    left.expect(pace);
    left.add_iteration(config, 1500, seconds_of(config, pace, 1500, 1501));
    EXPECT_NEAR(left.seconds(config, 1501), seconds_of(config, pace, 1501, 2000), 1e-6);
    EXPECT_EQ(left.seconds(config, 2000), 0);
  }
}

}  // namespace
}  // namespace app
