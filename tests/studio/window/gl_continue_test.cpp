// Training that goes on in the built program, by its buttons and keys.
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <iterator>

#include "tests/studio/window/window_run.h"
#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

constexpr int kRunning = 2, kPaused = 3, kStopped = 6;  // studio::RunStatus

TEST(GlContinue, AStoppedRunGoesOnFromWhereItWasAlsoWhenItIsOpenedAgain) {
  const splat::test::TempFolder folder;  // results go beside the dataset
  const fs::path dataset = folder.path() / "demo";
  fs::copy(test_paths::source() / "assets/demo", dataset, fs::copy_options::recursive);
  int stopped_at = 0;
  {
    WindowRun run({dataset.string()});
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32; }));
    run.input("key ctrl+t");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kRunning && s.iteration >= 5; }, 120));
    run.click("Stop");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kStopped; }, 120));
    const int first = run.state()->iteration;
    run.input("key ctrl+t");
    ASSERT_TRUE(run.wait([&](const auto& s) { return s.training == kRunning && s.iteration > first; }, 120));
    run.click("Stop");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kStopped; }, 120));
    stopped_at = run.state()->iteration;

    const auto start_anew = [&] {
      run.input("key ctrl+shift+p sleep 1 type --delay 60 'start training'");
      run.input("sleep 0.5 key Return sleep 1.5");
    };
    start_anew();
    EXPECT_EQ(run.state()->training, kStopped) << "nothing is replaced unasked";
    EXPECT_NE(run.trace_text().find("\nbutton Train into a new folder at "), std::string::npos);
    run.input("key Escape sleep 0.5");
    EXPECT_EQ(run.state()->training, kStopped);
    EXPECT_FALSE(fs::exists(folder.path() / "demo_splats_2"));
    start_anew();
    run.input("key Return");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kRunning && s.iteration >= 1; }, 120));
    EXPECT_TRUE(fs::exists(folder.path() / "demo_splats_2"));
    run.input("key ctrl+q sleep 0.5 key Return");
    EXPECT_EQ(run.wait_for_end(120), 0);
  }
  WindowRun run({(folder.path() / "demo_splats").string()});
  ASSERT_TRUE(run.wait([](const auto& s) { return s.splats > 0 && s.panels == "110"; }));
  run.input("key ctrl+t");
  ASSERT_TRUE(run.wait([&](const auto& s) { return s.training == kRunning && s.iteration > stopped_at; }, 120));
  EXPECT_EQ(run.state()->photos, 32u);
  run.input("key ctrl+q sleep 0.5 key Return");
  EXPECT_EQ(run.wait_for_end(120), 0);
}

TEST(GlContinue, APausedRunThatIsKilledGoesOnFromThere) {
  const splat::test::TempFolder folder;
  const fs::path dataset = folder.path() / "demo", results = folder.path() / "demo_splats";
  fs::copy(test_paths::source() / "assets/demo", dataset, fs::copy_options::recursive);
  int paused_at = 0;
  {
    WindowRun run({dataset.string()});
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32; }));
    run.input("key ctrl+t");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kRunning && s.iteration >= 5; }, 120));
    run.input("key space");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kPaused && s.kept == s.iteration; }, 120));
    paused_at = run.state()->iteration;
    kill(run.process(), SIGKILL);
    EXPECT_EQ(run.wait_for_end(), -1) << "it has no exit code";
  }
  for (const fs::path& opened : {dataset, results}) {
    WindowRun run({opened.string()});
    const std::string offer = "\nbutton Continue from " + std::to_string(paused_at) + " to ";
    EXPECT_TRUE(run.wait([&](const auto&) { return run.trace_text().find(offer) != std::string::npos; })) << opened;
    if (opened == dataset) continue;
    run.input("key ctrl+t");
    ASSERT_TRUE(run.wait([&](const auto& s) { return s.training == kRunning && s.iteration > paused_at; }, 120));
    run.input("key ctrl+q sleep 0.5 key Return");
    EXPECT_EQ(run.wait_for_end(120), 0);
  }
}

// The button is pressed by hand where it lies below the edge of its panel: the panel is scrolled first.
TEST(GlContinue, ARunGoesOnWithoutThePhotosThatAreNotTicked) {
  const splat::test::TempFolder folder;
  const fs::path dataset = folder.path() / "demo", config = folder.path() / "demo_splats/config.json";
  fs::copy(test_paths::source() / "assets/demo", dataset, fs::copy_options::recursive);
  WindowRun run({dataset.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32; }));
  run.input("key ctrl+t");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kRunning && s.iteration >= 3; }, 120));
  run.click("Stop");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kStopped; }, 120));
  const int stopped_at = run.state()->iteration;
  const int right = run.state()->x + run.state()->width;
  const auto scroll_down = [&] {
    run.input("mousemove " + std::to_string(right + 40) + " 60 sleep 0.2 click --repeat 60 --delay 10 5 sleep 1");
    run.finish_frame();
  };
  scroll_down();
  run.click("Use view_003.jpg");
  run.input("sleep 1");
  scroll_down();
  run.click("Train on without 1 photo###train_on");
  ASSERT_TRUE(run.wait([&](const auto& s) { return s.training == kRunning && s.iteration > stopped_at; }, 120));
  std::ifstream file(config);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("\"view_003.jpg\""), std::string::npos) << text;
  run.input("key ctrl+q sleep 0.5 key Return");
  EXPECT_EQ(run.wait_for_end(120), 0);
}

}  // namespace
