#include "studio/window/run_progress.h"

#include <gtest/gtest.h>

namespace studio {
namespace {

TEST(RunProgress, OneLineHasShareTimePsnrAndSplats) {
  TrainingState run;
  EXPECT_EQ(progress_line(run), "");
  run.status = RunStatus::kPreparing;
  EXPECT_EQ(progress_line(run), "preparing");
  run.status = RunStatus::kRunning;
  run.iteration = 1279, run.iterations = 2000;
  run.splats = 40026;
  EXPECT_EQ(progress_line(run), "63 %   40\u00a0026 splats") << "63.95: rounded down";
  run.seconds_left = 160, run.psnr = 28.914;
  EXPECT_EQ(progress_line(run), "63 %   2:40 left   28.91 dB   40\u00a0026 splats");
  run.status = RunStatus::kPaused;
  EXPECT_EQ(progress_line(run), "63 %   paused   28.91 dB   40\u00a0026 splats");
  run.kept = 1279;
  EXPECT_EQ(progress_line(run), "63 %   paused, kept at 1\u00a0279   28.91 dB   40\u00a0026 splats");
  run.status = RunStatus::kFinished;
  EXPECT_EQ(progress_line(run), "");
  EXPECT_NEAR(run_share(run), 0.6395, 1e-6);
  EXPECT_EQ(run_share(TrainingState()), 0);
}

TEST(RunProgress, OnlyAPictureThatMovesHasARate) {
  EXPECT_EQ(speed_text(40, 1, true), "25 fps");
  EXPECT_EQ(speed_text(40, 4, true), "25 fps, preview 1/4");
  EXPECT_EQ(speed_text(1, 1, true), "60 fps") << "the window draws no more";
  EXPECT_EQ(speed_text(40, 1, false), "");
  EXPECT_EQ(speed_text(40, 2, false), "preview 1/2");
  EXPECT_EQ(speed_text(0, 1, true), "") << "nothing is drawn yet";
}

TEST(RunProgress, TimesReadAsAClock) {
  EXPECT_EQ(clock_text(7.4), "0:07");
  EXPECT_EQ(clock_text(59.6), "1:00");
  EXPECT_EQ(clock_text(3665), "1:01:05");
  EXPECT_EQ(clock_text(-1), "0:00");
}

}  // namespace
}  // namespace studio
