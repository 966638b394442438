#include "studio/runs/run_history.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "app/jobs/output_lock.h"
#include "app/jobs/training/inria_layout.h"
#include "app/jobs/training/training_seconds.h"
#include "app/settings/options.h"
#include "io/checkpoint.h"
#include "splat/train/config.h"
#include "splat/train/trainer_state.h"
#include "studio/runs/known_runs.h"
#include "tests/support/temp_folder.h"

namespace studio {
namespace {

namespace fs = std::filesystem;

class RunHistories : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(dataset_); }

  // A run's folder as training leaves it; the texts of its files can be anything.
  fs::path add_run(const std::string& name, const fs::path& dataset, const std::string& config,
                   const std::string& metrics) const {
    Options options;
    options.input = dataset;
    folder_.write(name + "/cfg_args", cfg_args_text(options, {}));
    if (!config.empty()) folder_.write(name + "/config.json", config);
    if (!metrics.empty()) folder_.write(name + "/metrics.json", metrics);
    folder_.write(name + "/cameras.json", "[]");
    return folder_.write(name + "/point_cloud/iteration_100/point_cloud.ply", "ply").parent_path().parent_path();
  }
  studio::RunHistory history(const std::vector<fs::path>& recent = {}) const {
    return run_history_of(dataset_, {recent, {}, {}});
  }
  static const studio::PastRun* run_of(const studio::RunHistory& history, const std::string& name) {
    for (const studio::PastRun& run : history.runs)
      if (run.folder.filename() == name) return &run;
    return nullptr;
  }

  splat::test::TempFolder folder_;
  const fs::path dataset_ = folder_.path() / "scene";
};

constexpr const char* kMetrics =
    R"({"dataset": "scene", "iterations": 700, "seconds": 12.5, "splats": 4321, "psnr": 27.25,
  "ssim": 0.875, "history": [{"iteration": 100, "loss": 0.5, "splats": 100},
  {"iteration": 700, "loss": 0.25, "splats": 4321, "psnr": 27.25, "ssim": 0.875}]})";

TEST_F(RunHistories, RunsBesideTheDatasetWithTheirFiguresAndTheSettingsThatDiffer) {
  add_run("scene_splats", dataset_, R"({"iterations": 700, "sh_degree": 3, "seed": 0, "output": "/a"})", kMetrics);
  add_run("scene_splats_2", dataset_, R"({"iterations": 7000, "sh_degree": 3, "seed": 0, "output": "/b"})",
          R"({"iterations": 7000, "seconds": 100, "splats": 9, "psnr": null, "ssim": null, "history": []})");
  const studio::RunHistory found = history();
  ASSERT_EQ(found.runs.size(), 2u);
  const studio::PastRun* first = run_of(found, "scene_splats");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->iterations, 700);
  EXPECT_EQ(first->seconds, 12.5);
  EXPECT_EQ(first->splats, 4321u);
  EXPECT_EQ(first->psnr, 27.25);
  EXPECT_EQ(first->ssim, 0.875);
  ASSERT_EQ(first->history.size(), 2u);
  EXPECT_FALSE(first->history[0].evaluated);
  EXPECT_EQ(first->history[1].psnr, 27.25);
  EXPECT_EQ(first->file.filename(), "point_cloud.ply");
  EXPECT_EQ(first->differs, (std::map<std::string, std::string>{{"iterations", "700"}}))
      << "not where it went, nor what both have alike";
  const studio::PastRun* second = run_of(found, "scene_splats_2");
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->psnr);
  EXPECT_EQ(second->differs.at("iterations"), "7000");
}

TEST_F(RunHistories, WhatFollowsFromTheLengthAloneIsNoDifference) {
  for (const int iterations : {700, 7000}) {
    Options options;
    options.train.iterations = iterations;
    options.train.seed = iterations == 700 ? 0 : 5;
    options.train = splat::resolve_config(options.train);
    add_run("run_" + std::to_string(iterations), dataset_, settings_json(options).dump(), kMetrics);
  }
  const studio::RunHistory found = history();
  ASSERT_EQ(found.runs.size(), 2u);
  EXPECT_EQ(run_of(found, "run_7000")->differs,
            (std::map<std::string, std::string>{{"iterations", "7000"}, {"seed", "5"}}));
}

TEST_F(RunHistories, RunsElsewhereAreFoundByWhatWasOpenedLately) {
  add_run("far/away/run", dataset_, "{}", kMetrics);
  EXPECT_TRUE(history().runs.empty());
  const fs::path run = folder_.path() / "far/away/run";
  EXPECT_EQ(history({run}).runs.size(), 1u);
  EXPECT_EQ(history({run / "point_cloud/iteration_100/point_cloud.ply"}).runs.size(), 1u);
  EXPECT_EQ(history({run, run, folder_.path() / "gone", ""}).runs.size(), 1u) << "once";
}

TEST_F(RunHistories, RunsThatWereBegunHereAreListedWhereverTheyLie) {
  const fs::path config = folder_.path() / "config", other = folder_.path() / "other/scene";
  fs::create_directories(other);
  add_run("far/away/run", dataset_, "{}", kMetrics);
  add_run("elsewhere/run", other, R"({"seed": 3})", kMetrics);
  const fs::path run = folder_.path() / "far/away/run", another = folder_.path() / "elsewhere/run";
  EXPECT_TRUE(known_runs(config).empty());
  note_run(config, run);
  note_run(config, another);
  note_run(config, run);
  EXPECT_EQ(known_runs(config), (std::vector<fs::path>{run, another}));
  note_run({}, run);
  const std::vector<fs::path> known = known_runs(config);
  EXPECT_EQ(run_history_of(dataset_, {{}, known, {}}).runs.size(), 1u);
  const std::vector<fs::path> recent{dataset_, another / "point_cloud/iteration_100/point_cloud.ply", "/gone"};
  const studio::RunHistory all = run_history_of({}, {recent, known, run});
  ASSERT_EQ(all.runs.size(), 2u);
  EXPECT_EQ(all.newest_there.size(), 2u);
  const studio::PastRun& of_dataset = all.runs[all.newest_there.at(dataset_.string())];
  EXPECT_EQ(of_dataset.folder, run);
  EXPECT_EQ(of_dataset.dataset, dataset_);
  EXPECT_EQ(of_dataset.state, studio::PastRunState::kTrains) << "in this window";
  EXPECT_EQ(all.runs[all.newest_there.at(recent[1].string())].folder, another);
  fs::remove_all(another);
  EXPECT_EQ(known_runs(config), std::vector<fs::path>{run});
  folder_.write("config/runs.json", "{\"runs\": [1, {}, \"" + run.string() + "\", null");
  EXPECT_TRUE(known_runs(config).empty());

  const auto found = run_in_folder(run);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->psnr, 27.25);
  EXPECT_EQ(found->state, studio::PastRunState::kDone);
  add_run("with_seed", dataset_, R"({"seed": 3, "iterations": 700, "output": "/a"})", kMetrics);
  EXPECT_EQ(run_in_folder(folder_.path() / "with_seed")->differs, (std::map<std::string, std::string>{{"seed", "3"}}));
  EXPECT_FALSE(run_in_folder(dataset_));
}

TEST_F(RunHistories, AStoppedRunHasTheFiguresOfItsCheckpointAndCanGoOn) {
  const fs::path run = folder_.path() / "stopped";
  Options options;
  options.input = dataset_;
  folder_.write("stopped/cfg_args", cfg_args_text(options, {}));
  folder_.write("stopped/config.json", R"({"iterations": 2000})");
  ASSERT_EQ(history().runs.size(), 1u) << "from its start";
  EXPECT_FALSE(history().runs[0].stopped);
  EXPECT_EQ(history().runs[0].state, studio::PastRunState::kNoResult);
  const fs::path checkpoint = folder_.write("stopped/checkpoints/iteration_953.checkpoint", "");
  splat::Archive archive;
  archive.put<uint64_t>("model/count", 4321);
  archive.put_array("model/means", std::span<const float>(std::vector<float>(1 << 20)));
  splat::save_history({{100, 0.5, 100}, {900, 0.25, 4000, true, 27.25, 0.875}, {950, 0.125, 4321}}, archive);
  ASSERT_TRUE(io::write_checkpoint(checkpoint, archive).ok());
  note_seconds_at(checkpoint, 12.5);

  const studio::PastRun found = history().runs.at(0);
  EXPECT_EQ(found.iterations, 953);
  EXPECT_EQ(found.splats, 4321u);
  EXPECT_EQ(found.psnr, 27.25);
  EXPECT_EQ(found.ssim, 0.875);
  EXPECT_EQ(found.seconds, 12.5);
  EXPECT_EQ(found.history.size(), 3u);
  ASSERT_TRUE(found.stopped);
  EXPECT_EQ(found.state, studio::PastRunState::kStopped);
  EXPECT_EQ(found.stopped->checkpoint, checkpoint);
  EXPECT_EQ(found.stopped->output, run);
  EXPECT_EQ(found.stopped->iteration, 953);
  EXPECT_EQ(found.stopped->iterations, 2000);

  folder_.write("stopped/metrics.json", R"({"iterations": 953, "seconds": 13, "splats": 4000, "psnr": 28})");
  EXPECT_EQ(history().runs.at(0).psnr, 28) << "its own figures, where it was told to end";
  EXPECT_TRUE(history().runs.at(0).stopped);
  int begun[2], ended[2];
  ASSERT_EQ(pipe(begun) + pipe(ended), 0);
  const pid_t other = fork();
  if (other == 0) {
    OutputLock lock;
    char byte = lock.take(run / ".hipsplat.lock").ok();
    close(ended[1]);
    const bool told = write(begun[1], &byte, 1) == 1 && read(ended[0], &byte, 1) == 0;
    lock.release();
    _exit(told ? 0 : 1);
  }
  char byte = 0;
  ASSERT_TRUE(read(begun[0], &byte, 1) == 1 && byte == 1);
  EXPECT_FALSE(history().runs.at(0).stopped) << "another process works on it";
  EXPECT_EQ(history().runs.at(0).state, studio::PastRunState::kTrains);
  close(ended[1]);
  int code = -1;
  waitpid(other, &code, 0);
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(history().runs.at(0).stopped);
  folder_.write("stopped/config.json", R"({"iterations": 953})");
  EXPECT_FALSE(history().runs.at(0).stopped) << "it has come to its end";
  EXPECT_EQ(history().runs.at(0).state, studio::PastRunState::kDone);
}

TEST_F(RunHistories, BrokenAndForeignFoldersArePassedOver) {
  const fs::path other = folder_.path() / "other";
  fs::create_directories(other);
  add_run("of_another_scene", other, "{}", kMetrics);
  add_run("broken_json", dataset_, "{\"iterations\": ", "[1, 2");
  add_run("wrong_types", dataset_, R"({"iterations": {"a": []}, "seed": "\u0000"})",
          R"({"iterations": "many", "seconds": -5, "splats": 1e300, "psnr": [], "history": [1, {"iteration": "x"},
              {"iteration": -7}, {"iteration": 5, "loss": "low", "splats": -1, "psnr": {}}, null]})");
  add_run("no_end", dataset_, R"({"iterations": 9})", "");
  folder_.write("no_run/metrics.json", kMetrics);
  folder_.write("foreign/cfg_args", "Namespace(no");
  folder_.write("cfg_args", "a file where folders are looked at");
  fs::create_directories(folder_.path() / "cfg/cfg_args");
  const studio::RunHistory found = history();
  EXPECT_EQ(found.runs.size(), 3u);
  const studio::PastRun* broken = run_of(found, "broken_json");
  ASSERT_TRUE(broken) << "its splats can be opened all the same";
  EXPECT_FALSE(broken->iterations);
  const studio::PastRun* wrong = run_of(found, "wrong_types");
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->seconds, 0);
  EXPECT_EQ(wrong->splats, 0u);
  EXPECT_FALSE(wrong->psnr);
  ASSERT_EQ(wrong->history.size(), 1u);
  EXPECT_EQ(wrong->history[0].iteration, 5);
  EXPECT_EQ(wrong->history[0].splats, 0u);
  ASSERT_TRUE(run_of(found, "no_end"));
  EXPECT_FALSE(run_of(found, "no_end")->iterations);
}

}  // namespace
}  // namespace studio
