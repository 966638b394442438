// What the session says of runs that were and may come.
#include <gtest/gtest.h>

#include <filesystem>

#include "studio/names.h"
#include "tests/studio/live_window.h"
#include "tests/support/scene_on_disk.h"

namespace studio::test {

using namespace app::test;
namespace {

using studio::RunStatus;

studio::TrainingChoices choices_for(const SceneOnDisk& scene) {
  studio::TrainingChoices choices;
  choices.train.iterations = 60;
  choices.device.backend = "cpu";
  choices.output = scene.output("run");
  return choices;
}

TEST(WindowRuns, ARunIsPredictedAndListedOnceItWasMade) {
  const SceneOnDisk scene;
  const splat::test::TempFolder config;
  LiveWindow window(2, config.path());
  window.send(studio::OpenPath{scene.dataset()});
  ASSERT_TRUE(window.wait([&] { return window.dataset.has_value(); })) << window.all_notices();
  const studio::TrainingChoices choices = choices_for(scene);
  window.send(studio::WantRunPrediction{choices});
  ASSERT_TRUE(window.wait([&] { return window.run_prediction.has_value(); }, 60)) << window.all_notices();
  EXPECT_EQ(window.run_prediction->problem, "");
  EXPECT_EQ(window.run_prediction->choices, choices);
  EXPECT_GT(window.run_prediction->seconds, 0);
  EXPECT_GT(window.run_prediction->splats, 0u);
  EXPECT_GT(window.run_prediction->memory_bytes, 20'000'000u);
  EXPECT_EQ(window.run_prediction->result_bytes, 248 * window.run_prediction->splats);
  EXPECT_FALSE(std::filesystem::exists(choices.output)) << "nothing is written for it";

  window.send(studio::WantRunHistory{});
  ASSERT_TRUE(window.wait([&] { return window.run_history.has_value(); }));
  EXPECT_TRUE(window.run_history->runs.empty());
  window.send(studio::StartTraining{choices});
  ASSERT_TRUE(window.wait_for(RunStatus::kFinished, 120)) << window.all_notices();
  const auto listed = [](LiveWindow& asked, bool all) {
    asked.run_history.reset();
    asked.send(studio::WantRunHistory{{}, all});
    EXPECT_TRUE(asked.wait([&] { return asked.run_history.has_value(); }));
    return asked.run_history.value_or(studio::RunHistory());
  };
  const studio::RunHistory found = listed(window, false);
  ASSERT_EQ(found.runs.size(), 1u) << "it was begun here";
  EXPECT_EQ(found.runs[0].iterations, 60);
  EXPECT_TRUE(std::filesystem::exists(found.runs[0].file));

  LiveWindow restarted(2, config.path());
  ASSERT_EQ(listed(restarted, false).runs.size(), 1u) << "nothing is open: all there are";
  restarted.send(studio::OpenPath{choices.output});
  ASSERT_TRUE(restarted.wait([&] { return restarted.opened_run.has_value(); })) << restarted.all_notices();
  EXPECT_EQ(restarted.opened_run->iteration, 60);
  EXPECT_EQ(restarted.opened_run->run.state, studio::PastRunState::kDone);
  EXPECT_EQ(restarted.opened_run->splats, found.runs[0].file);
  EXPECT_FALSE(restarted.opened_run->run.history.empty());
}

TEST(WindowRuns, OneThatMemoryKeepsSmallSaysSo) {
  const SceneOnDisk scene;
  LiveWindow window;
  window.send(studio::OpenPath{scene.dataset()});
  ASSERT_TRUE(window.wait([&] { return window.dataset.has_value(); })) << window.all_notices();
  studio::TrainingChoices choices = choices_for(scene);
  const auto fits = [&] {
    window.run_prediction.reset();
    window.send(studio::WantRunPrediction{choices});
    EXPECT_TRUE(window.wait([&] { return window.run_prediction.has_value(); }, 60)) << window.all_notices();
    return window.run_prediction && window.run_prediction->fits;
  };
  EXPECT_TRUE(fits());
  choices.fine["strategy"] = "mcmc";
  choices.train.max_splats = 4'000'000'000;
  EXPECT_FALSE(fits()) << window.run_prediction->splats;
}

TEST(WindowRuns, SettingsThatCannotBeTrainedWithAreAProblemInWords) {
  const SceneOnDisk scene;
  LiveWindow window;
  window.send(studio::OpenPath{scene.dataset()});
  ASSERT_TRUE(window.wait([&] { return window.dataset.has_value(); })) << window.all_notices();
  studio::TrainingChoices choices = choices_for(scene);
  choices.fine["strategy"] = "none of ours";
  window.send(studio::WantRunPrediction{choices});
  ASSERT_TRUE(window.wait([&] { return window.run_prediction.has_value(); }));
  EXPECT_NE(window.run_prediction->problem.find("strategy"), std::string::npos) << window.run_prediction->problem;
  EXPECT_FALSE(window.noticed("strategy", studio::NoticeKind::kError)) << "nobody asked for a run yet";
}

TEST(WindowRuns, NothingIsTimedBesideARunAndNothingWaitsForIt) {
  const SceneOnDisk scene;
  LiveWindow window;
  window.send(studio::OpenPath{scene.dataset()});
  ASSERT_TRUE(window.wait([&] { return window.dataset.has_value(); })) << window.all_notices();
  studio::TrainingChoices choices = choices_for(scene);
  choices.train.iterations = 3000;
  window.send(studio::WantRunPrediction{choices});
  window.send(studio::StartTraining{choices});  // it is given up
  ASSERT_TRUE(window.wait_for(RunStatus::kRunning, 60)) << window.all_notices();
  window.send(studio::WantRunPrediction{choices});
  ASSERT_TRUE(window.wait([&] { return window.training.iteration >= 30; }, 60));
  EXPECT_FALSE(window.run_prediction);
  window.send(studio::StopTraining{false});
}

}  // namespace
}  // namespace studio::test
