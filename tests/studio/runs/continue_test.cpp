// Runs that go on in the window: after a stop, at their end, and from what is opened of them; and that none is replaced
// unasked.
#include <gtest/gtest.h>

#include "app/cli/commands/commands.h"
#include "studio/documents/opening.h"
#include "studio/documents/training_choices.h"
#include "tests/studio/live_window.h"
#include "tests/studio/model/live_choices.h"
#include "tests/support/scene_on_disk.h"

namespace studio::test {

using namespace app::test;
namespace {

namespace fs = std::filesystem;
using studio::RunStatus;

constexpr int kLength = 4000, kLonger = 4100;  // iterations: long enough to be stopped on the way

fs::path splats_of(const fs::path& run, int iteration) {
  return run / "point_cloud" / ("iteration_" + std::to_string(iteration)) / "point_cloud.ply";
}

class Continue : public testing::Test {
 protected:
  studio::TrainingChoices choices(const fs::path& output) const {
    studio::TrainingChoices c = test::choices(output, kLength);
    c.fine.erase("strategy");
    return c;
  }

  studio::TrainingChoices going_on(const studio::Continuation& run, int iterations) const {
    studio::TrainingChoices c;
    c.train.iterations = iterations;
    c.device.backend = "cpu";
    c.output = run.output;
    c.resume = run.checkpoint;
    return c;
  }

  // The bytes of a run of `choices`, never stopped.
  std::string uninterrupted(const studio::TrainingChoices& choices) const {
    studio::TrainingChoices c = choices;
    c.output = scene_.output("uninterrupted");
    auto options = options_of(scene_.dataset(), c);
    EXPECT_TRUE(options.ok()) << options.error().message;
    options->device.threads = 1;
    EXPECT_TRUE(run_train(*options).ok());
    return text_of(splats_of(c.output, c.train.iterations));
  }

  testing::AssertionResult open_dataset(LiveWindow& window) {
    window.send(studio::OpenPath{scene_.dataset()});
    if (window.wait([&] { return window.dataset.has_value(); })) return testing::AssertionSuccess();
    return testing::AssertionFailure() << window.all_notices();
  }

  // A run of kLength that was stopped on the way.
  studio::Continuation stopped_run(LiveWindow& window) {
    EXPECT_TRUE(open_dataset(window));
    window.send(studio::StartTraining{choices(run_)});
    EXPECT_TRUE(window.wait([&] { return window.training.iteration > 60; })) << window.all_notices();
    EXPECT_FALSE(window.training.continuation) << "it has not ended";
    window.send(studio::StopTraining{});
    EXPECT_TRUE(window.wait_for(RunStatus::kStopped)) << window.all_notices();
    return window.training.continuation.value_or(studio::Continuation{});
  }

  const SceneOnDisk scene_;
  const fs::path run_ = scene_.output("run");
};

TEST_F(Continue, AStoppedRunGoesOnToTheSameBytes) {
  LiveWindow window;
  const studio::Continuation run = stopped_run(window);
  EXPECT_EQ(run.iteration, window.training.iteration);
  EXPECT_LT(run.iteration, kLength);
  EXPECT_EQ(run.iterations, kLength);
  EXPECT_EQ(run.output, run_);
  const double first_leg = window.training.seconds;
  const auto psnr = window.training.psnr;
  ASSERT_TRUE(psnr) << "its end was measured";
  window.send(studio::StartTraining{going_on(run, kLength)});
  ASSERT_TRUE(window.wait([&] { return window.training.iteration > run.iteration; })) << window.all_notices();
  EXPECT_TRUE(window.training.psnr) << "it is that of the leg before until it is measured again";
  ASSERT_TRUE(window.wait_for(RunStatus::kFinished)) << window.all_notices();
  const std::string bytes = text_of(splats_of(run_, kLength));
  ASSERT_GT(bytes.size(), 1000u);
  EXPECT_TRUE(bytes == uninterrupted(choices(run_)));
  EXPECT_FALSE(window.output_taken) << "going on replaces nothing";
  EXPECT_GT(window.training.seconds, first_leg);
  ASSERT_GT(window.training.speed.size(), 2u);
  EXPECT_EQ(window.training.speed[0][0], 0) << "the speed of the first leg is known too";
  EXPECT_EQ(window.training.speed[1][0], float(run.iteration));
  EXPECT_EQ(window.training.speed[0][1], window.training.speed[1][1]);
}

TEST_F(Continue, AFinishedRunCanBeMadeLonger) {
  LiveWindow window;
  ASSERT_TRUE(open_dataset(window));
  window.send(studio::StartTraining{choices(run_)});
  ASSERT_TRUE(window.wait_for(RunStatus::kFinished)) << window.all_notices();
  ASSERT_TRUE(window.training.continuation);
  EXPECT_EQ(window.training.continuation->iteration, kLength);
  window.send(studio::StartTraining{going_on(*window.training.continuation, kLonger)});
  ASSERT_TRUE(window.wait([&] { return window.training.iteration == kLonger; })) << window.all_notices();
  ASSERT_TRUE(window.wait_for(RunStatus::kFinished)) << window.all_notices();
  EXPECT_TRUE(fs::exists(splats_of(run_, kLength)));
  EXPECT_TRUE(fs::exists(splats_of(run_, kLonger)));
}

TEST_F(Continue, AnOpenedRunAndAnOpenedCheckpointGoOn) {
  studio::Continuation run;
  {
    LiveWindow window;
    run = stopped_run(window);
  }
  for (const fs::path& path : {run_, run.checkpoint}) {
    SCOPED_TRACE(path);
    LiveWindow window;
    window.send(studio::OpenPath{path});
    ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); })) << window.all_notices();
    ASSERT_TRUE(window.splats->continuation);
    EXPECT_EQ(window.splats->continuation->checkpoint, run.checkpoint);
    EXPECT_EQ(window.splats->continuation->output, run_);
    EXPECT_EQ(window.splats->continuation->iteration, run.iteration);
    EXPECT_EQ(window.splats->continuation->iterations, kLength);
    studio::Continuation elsewhere = *window.splats->continuation;
    elsewhere.output = scene_.output("resumed_" + path.filename().string());
    window.send(studio::StartTraining{going_on(elsewhere, kLength)});
    ASSERT_TRUE(window.wait_for(RunStatus::kFinished)) << window.all_notices();
    ASSERT_TRUE(window.dataset.has_value()) << "training is shown with its dataset";
    EXPECT_TRUE(window.dataset->of_run);
    EXPECT_TRUE(text_of(splats_of(elsewhere.output, kLength)) == uninterrupted(choices(run_)));
  }
}

TEST_F(Continue, SplatsWithoutTheirPhotosDoNotGoOn) {
  studio::Continuation run;
  {
    LiveWindow window;
    run = stopped_run(window);
  }
  fs::rename(scene_.dataset(), scene_.dataset() + "_moved");
  LiveWindow window;
  window.send(studio::OpenPath{run_});
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); })) << window.all_notices();
  EXPECT_FALSE(window.splats->continuation);
}

TEST_F(Continue, ANewRunInTheFolderOfAnotherAsksFirst) {
  LiveWindow window;
  const studio::Continuation run = stopped_run(window);
  window.send(studio::StartTraining{choices(run_)});
  ASSERT_TRUE(window.wait([&] { return window.output_taken.has_value(); })) << window.all_notices();
  EXPECT_EQ(window.output_taken->output, run_);
  EXPECT_FALSE(fs::exists(window.output_taken->free));
  EXPECT_EQ(window.output_taken->choices, choices(run_));
  EXPECT_EQ(window.training.status, RunStatus::kStopped) << "what is open stays";
  EXPECT_TRUE(fs::exists(run.checkpoint));
  window.send(studio::StartTraining{choices(run_), true});
  ASSERT_TRUE(window.wait_for(RunStatus::kFinished)) << window.all_notices();
}

}  // namespace
}  // namespace studio::test
