#include "splat/train/resolution.h"

#include <gtest/gtest.h>

#include "splat/train/trainer.h"
#include "tests/support/tiny_run.h"

namespace splat {
namespace {

TEST(ResolutionDivisor, FallsFromTheFirstToOne) {
  EXPECT_EQ(resolution_divisor(4, 1000, 0), 4);
  EXPECT_EQ(resolution_divisor(4, 1000, 84), 4);  // share 1/4 + 5/12 * 0.084 = 0.285
  EXPECT_EQ(resolution_divisor(4, 1000, 87), 3);  // 0.28625
  EXPECT_EQ(resolution_divisor(4, 1000, 999), 2);
  EXPECT_EQ(resolution_divisor(4, 1000, 1000), 1);
  int last = 8;
  for (int i = 0; i <= 3000; ++i) {
    const int divisor = resolution_divisor(8, 2500, i);
    EXPECT_LE(divisor, last);
    EXPECT_EQ(divisor == 1, i >= 2500);
    last = divisor;
  }
  EXPECT_EQ(resolution_divisor(1, 1000, 0), 1);
  EXPECT_EQ(resolution_divisor(4, 0, 0), 1);
}

Dataset of_sides(const std::vector<int>& widths) {
  Dataset dataset;
  for (const int width : widths) {
    DatasetView view;
    view.camera = {width, 2 * width, 100, 100, 10, 10};
    dataset.views.push_back(view);
  }
  return dataset;
}

TEST(FirstDivisor, LeavesTheLongerSideOfTheUsualPhoto128Pixels) {
  TrainConfig brief;
  brief.iterations = kLongRun;
  EXPECT_EQ(first_divisor(brief, of_sides({60, 60, 10})), 1);
  EXPECT_EQ(first_divisor(brief, of_sides({127})), 1);
  EXPECT_EQ(first_divisor(brief, of_sides({128})), 2);
  EXPECT_EQ(first_divisor(brief, of_sides({256, 5000, 256})), 4);
  EXPECT_EQ(first_divisor(brief, of_sides({5000})), 8);
  EXPECT_EQ(first_divisor(brief, of_sides({})), 1);
}

TEST(FirstDivisor, IsAtMostTwoWhereThereAreManyIterationsAPhoto) {
  TrainConfig config;
  config.iterations = 3 * kLongRun;
  EXPECT_EQ(first_divisor(config, of_sides({256, 256, 256})), 4);
  config.iterations += 1;
  EXPECT_EQ(first_divisor(config, of_sides({256, 256, 256})), 2);
}

TEST(FirstDivisor, IsWhatIsAskedForAndElseOneWhereWholePhotosAreNeeded) {
  const Dataset dataset = of_sides({256});
  TrainConfig asked;
  asked.strategy = StrategyKind::kAdc;
  EXPECT_EQ(first_divisor(asked, dataset), 1);
  asked.progressive_divisor = 3;
  EXPECT_EQ(first_divisor(asked, dataset), 3);
  TrainConfig poses, surface;
  poses.poses = PoseMode::kAuto;
  surface.surface = true;
  EXPECT_EQ(first_divisor(poses, dataset), 1);
  EXPECT_EQ(first_divisor(surface, dataset), 1);
}

// Of 300x200 pixels: they start at half their size.
struct LargePhotos : test::TinyRun {
  LargePhotos() : TinyRun({.width = 300, .height = 200}) {
    config.iterations = 20;
    config = resolve_config(config);
    make_trainer(2);
  }
};

TEST(CoarseTraining, SmallPhotosComeFirstThenWholeOnesAndOnlyThenTheRateOfTheMeansFalls) {
  LargePhotos run;
  ASSERT_TRUE(run.trainer->initialise().ok());
  EXPECT_EQ(run.trainer->config().progressive_divisor, 2);
  EXPECT_EQ(run.trainer->config().progressive_until, 8);
  EXPECT_EQ(run.trainer->config().mean_lr_from, 8);
  while (!run.trainer->done()) {
    const auto step = run.trainer->step();
    ASSERT_TRUE(step.ok()) << step.error().message;
    EXPECT_EQ(step->divisor, step->iteration < 8 ? 2 : 1) << step->iteration;
  }
}

TEST(CoarseTraining, TheRateOfTheMeansHasFallenWhereItWasAskedTo) {
  LargePhotos run;
  run.config.mean_lr_steps = 5;
  run.make_trainer(2);
  ASSERT_TRUE(run.trainer->initialise().ok());
  EXPECT_EQ(run.trainer->config().mean_lr_from, 5);
}

TEST(CoarseTraining, AStretchedRunsScheduleFollowsAndIsStored) {
  LargePhotos run;
  ASSERT_TRUE(run.trainer->initialise().ok());
  run.train(3);
  TrainConfig longer;
  longer.iterations = 100;
  run.trainer->retarget(longer);
  EXPECT_EQ(run.trainer->config().progressive_divisor, 2);
  EXPECT_EQ(run.trainer->config().progressive_until, 40);
  EXPECT_EQ(run.trainer->config().mean_lr_from, 40);
  const Archive state = run.state();
  const Result<TrainConfig> stored = load_config(state);
  ASSERT_TRUE(stored.ok());
  EXPECT_EQ(stored->progressive_divisor, 2);
  EXPECT_EQ(stored->mean_lr_from, 40);
}

TEST(CoarseTraining, AStretchedRunHasTheDivisorOfItsLength) {
  test::TinyRun run({.width = 520, .height = 40});
  run.config = resolve_config(run.config);  // 30000 iterations
  run.make_trainer(2);
  ASSERT_TRUE(run.trainer->initialise().ok());
  EXPECT_EQ(run.trainer->config().progressive_divisor, 2);
  TrainConfig brief;
  brief.iterations = 50;
  run.trainer->retarget(brief);
  EXPECT_EQ(run.trainer->config().progressive_divisor, 4);
}

TEST(CoarseTraining, WhatGoesOnFromSplatsHasWholePhotosFromTheStart) {
  LargePhotos run;
  ASSERT_TRUE(run.trainer->initialise().ok());
  const Gaussians splats = run.trainer->model();
  run.make_trainer(2);
  ASSERT_TRUE(run.trainer->initialise(splats).ok());
  EXPECT_EQ(run.trainer->config().progressive_divisor, 1);
  EXPECT_EQ(run.trainer->config().mean_lr_from, 0);
}

}  // namespace
}  // namespace splat
