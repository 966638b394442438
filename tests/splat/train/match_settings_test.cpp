#include "splat/train/match_settings.h"

#include <gtest/gtest.h>

namespace splat {
namespace {

Dataset with_points() {
  Dataset dataset;
  dataset.points.xyz = {0, 0, 0};
  dataset.points.rgb = {0, 0, 0};
  return dataset;
}

stereo::MatchSettings of_run(int iterations, int matched_photos = kAuto,
                             StrategyKind strategy = StrategyKind::kBudget) {
  TrainConfig config;
  config.iterations = iterations;
  config.matched_photos = matched_photos;
  config.strategy = strategy;
  return match_settings(config, with_points());
}

TEST(MatchSettings, FollowTheLengthOfTheRun) {
  EXPECT_EQ(of_run(0).most_photos, 32u);
  EXPECT_EQ(of_run(1000).most_photos, 32u);
  EXPECT_EQ(of_run(2300).most_photos, 46u);
  EXPECT_EQ(of_run(30000).most_photos, 160u);
  EXPECT_EQ(of_run(1999).side, 128);
  EXPECT_EQ(of_run(2000).side, 256);
  EXPECT_EQ(of_run(0).most_points, 1000u);
  EXPECT_EQ(of_run(2300).most_points, 9200u);
}

TEST(MatchSettings, AnotherStrategyMatchesWhereAskedAndARegionNever) {
  EXPECT_EQ(of_run(7000, kAuto, StrategyKind::kAdc).most_photos, 0u);
  EXPECT_EQ(of_run(7000, kAuto, StrategyKind::kMcmc).most_photos, 0u);
  EXPECT_EQ(of_run(7000, 20, StrategyKind::kAdc).most_photos, 20u);
  EXPECT_EQ(of_run(7000, 0).most_photos, 0u);
  TrainConfig config;
  config.region = box_about({0, 0, 0}, {1, 1, 1});
  config.matched_photos = 20;
  EXPECT_EQ(match_settings(config, with_points()).most_photos, 0u);
}

TEST(MatchSettings, WithoutPointsEveryStrategyMatchesAndARegionToo) {
  for (const StrategyKind strategy : {StrategyKind::kAdc, StrategyKind::kMcmc, StrategyKind::kBudget}) {
    TrainConfig config;
    config.iterations = 7000;
    config.strategy = strategy;
    EXPECT_EQ(match_settings(config, {}).most_photos, 140u);
    config.region = box_about({0, 0, 0}, {1, 1, 1});
    EXPECT_EQ(match_settings(config, {}).most_photos, 140u);
    config.matched_photos = 0;
    EXPECT_EQ(match_settings(config, {}).most_photos, 0u);
  }
}

}  // namespace
}  // namespace splat
