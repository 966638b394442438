// How the window ends, and what is on disk then: signals save as "Save and close" does, and settings do not wait for
// the end.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <thread>

#include "io/checkpoint.h"
#include "tests/studio/window/window_run.h"
#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

constexpr int kRunning = 2, kPaused = 3;        // studio::RunStatus
constexpr int kInterrupted = 130, kFailed = 1;  // exit codes
const fs::path kDemo = test_paths::source() / "assets/demo";

// The demo, in a folder of its own: results go beside it.
struct Dataset {
  splat::test::TempFolder folder;
  fs::path path = folder.path() / "demo";
  fs::path checkpoints = folder.path() / "demo_splats/checkpoints";
  Dataset() { fs::copy(kDemo, path, fs::copy_options::recursive); }
};

// Of the newest checkpoint, which must be readable; -1: there is none.
int saved_iteration(const fs::path& checkpoints) {
  int newest = -1;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(checkpoints, code)) {
    EXPECT_TRUE(io::read_checkpoint(entry.path()).ok()) << entry.path();
    int iteration = -1;
    EXPECT_EQ(std::sscanf(entry.path().filename().c_str(), "iteration_%d.checkpoint", &iteration), 1) << entry.path();
    newest = std::max(newest, iteration);
  }
  return newest;
}

std::string settings_of(const WindowRun& run) {
  std::ifstream file(run.folder() / "config/hipsplat/window.json");
  return {std::istreambuf_iterator<char>(file), {}};
}

// The dataset is there and its training has begun.
bool trains(WindowRun& run) {
  if (!run.wait([](const auto& s) { return s.photos == 32; })) return false;
  run.input("key ctrl+t");
  return run.wait([](const auto& s) { return s.training == kRunning && s.iteration >= 5; }, 120);
}

bool trains_and_pauses(WindowRun& run) {
  if (!trains(run)) return false;
  run.input("key space");
  return run.wait([](const auto& s) { return s.training == kPaused; });
}

class GlEnding : public testing::TestWithParam<int> {};

TEST_P(GlEnding, ASignalSavesTheRunAndTheSettings) {
  const Dataset dataset;
  WindowRun run({dataset.path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(trains(run));
  run.input("key F2");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.panels == "010"; }));
  const int reached = run.state()->iteration;
  kill(run.process(), GetParam());
  EXPECT_EQ(run.wait_for_end(120), kInterrupted);
  EXPECT_GE(saved_iteration(dataset.checkpoints), reached);
  EXPECT_NE(settings_of(run).find("\"left_open\": false"), std::string::npos) << settings_of(run);
}
INSTANTIATE_TEST_SUITE_P(By, GlEnding, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(GlEndings, ASignalSavesAPausedRun) {
  const Dataset dataset;
  WindowRun run({dataset.path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(trains_and_pauses(run));
  const int reached = run.state()->iteration;
  kill(run.process(), SIGTERM);
  EXPECT_EQ(run.wait_for_end(120), kInterrupted);
  EXPECT_EQ(saved_iteration(dataset.checkpoints), reached);
}

// Xlib ends the process when the server has gone; a crash of the desktop must not cost hours of training.
TEST(GlEndings, ALostDisplaySavesTheRunWhichGoesOn) {
  const Dataset dataset;
  WindowRun run({dataset.path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(trains(run));
  const int reached = run.state()->iteration;
  run.crash_display();
  EXPECT_EQ(run.wait_for_end(120), kFailed);
  const int saved = saved_iteration(dataset.checkpoints);
  ASSERT_GE(saved, reached);
  std::string said;
  EXPECT_EQ(test::run_program({HIPSPLAT_PROGRAM, "--train", dataset.path.string(), "-o",
                               (dataset.folder.path() / "demo_splats").string(), "--resume",
                               (dataset.checkpoints / ("iteration_" + std::to_string(saved) + ".checkpoint")).string(),
                               "-i", std::to_string(saved + 2), "--quiet"},
                              {}, &said),
            0)
      << said;
}

TEST(GlEndings, ALostDisplaySavesAPausedRun) {
  const Dataset dataset;
  WindowRun run({dataset.path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(trains_and_pauses(run));
  const int reached = run.state()->iteration;
  run.crash_display();
  EXPECT_EQ(run.wait_for_end(120), kFailed);
  EXPECT_EQ(saved_iteration(dataset.checkpoints), reached);
}

TEST(GlEndings, SettingsAndRecentScenesAreOnDiskBeforeTheEnd) {
  const Dataset dataset;
  WindowRun run({dataset.path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32; }));
  run.input("key F3");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.panels == "100"; }));
  const auto saved = [&] {
    const std::string text = settings_of(run);
    return text.find("\"right_open\": false") != std::string::npos &&
           text.find(dataset.path.string()) != std::string::npos;
  };
  for (int i = 0; i < 500 && !saved(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(run.process(), SIGKILL);
  EXPECT_TRUE(saved()) << settings_of(run);
}

}  // namespace
