// The end of a run as the window says it: in a notice with its report and folder, and outside where another window is
// in front.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "tests/studio/window/window_run.h"
#include "tests/support/test_paths.h"
#include "tests/viewer/dialogs/fake_notifications.h"
#include "tests/viewer/dialogs/fake_portal.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

constexpr int kRunning = 2, kStopped = 6;  // studio::RunStatus

class GlNotice : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy(test_paths::source() / "assets/demo", dataset_, fs::copy_options::recursive);
    const fs::path program =
        folder_.write("bin/xdg-open", "#!/bin/sh\nprintf '%s\\n' \"$1\" >> '" + opened_.string() + "'\n");
    fs::permissions(program, fs::perms::owner_all);
    path_ = program.parent_path().string() + ":" + std::getenv("PATH");
  }
  // Trains a little, then ends the run.
  static void train_and_stop(WindowRun& run, bool hidden = false) {
    ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32; }));
    run.input("key ctrl+t");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kRunning && s.iteration >= 3; }, 120));
    if (hidden) kill(run.process(), SIGSTOP);  // it then sees the click and the end of its focus in one frame
    run.click("Stop");
    if (hidden) run.input("search --name hipsplat windowunmap");
    if (hidden) kill(run.process(), SIGCONT);
    ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kStopped; }, 120));
  }
  std::string opened() const {
    std::ifstream file(opened_);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  splat::test::TempFolder folder_;
  const fs::path dataset_ = folder_.path() / "demo", opened_ = folder_.path() / "opened";
  std::string path_;
  const test::PrivateBus bus_;
};

TEST_F(GlNotice, ReportAndFolderAreOneClickAway) {
  WindowRun run({dataset_.string()}, {{"PATH", path_}, {"DBUS_SESSION_BUS_ADDRESS", ""}, {"XDG_RUNTIME_DIR", ""}});
  SKIP_WITHOUT_DISPLAY(run);
  train_and_stop(run);
  run.click("Report###notice_report");
  run.click("Folder###notice_folder");
  const std::string output = (folder_.path() / "demo_splats").string();
  const std::string expected = output + "/report.html\n" + output + "\n";
  for (int i = 0; i < 500 && opened() != expected; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(opened(), expected);
  run.click("All runs###notice_runs");
  run.click("Open##demo_splats");  // of the table: the run that has just ended
  EXPECT_TRUE(run.wait([](const auto& s) { return s.splats > 0 && s.photos == 32 && s.training == 0; }, 60));
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(120), 0);
}

TEST_F(GlNotice, TheDesktopSaysItWhereAnotherWindowIsInFrontAndOnlyThen) {
  if (!bus_.running()) GTEST_SKIP() << "there is no dbus-daemon here";
  const test::FakeNotifications desktop(bus_.address());
  for (const bool in_front : {true, false}) {
    WindowRun run({dataset_.string()}, {{"DBUS_SESSION_BUS_ADDRESS", bus_.address()}});
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32; }));
    if (in_front) run.input("search --name hipsplat windowfocus sleep 0.5");
    train_and_stop(run, !in_front);
    if (in_front) {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      EXPECT_TRUE(desktop.shown().empty());
      for (const char* next : {"Film...###notice_film", "Share...###notice_share", "Mesh...###notice_mesh"})
        EXPECT_TRUE(run.place_of(next)) << next;
      run.click("Edit###notice_edit");
      EXPECT_TRUE(run.wait([](const auto& s) { return s.editing && s.splats > 0 && s.training == 0; }, 60))
          << "the splats that are there are edited at once";
    } else {
      for (int i = 0; i < 500 && desktop.shown().empty(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ASSERT_EQ(desktop.shown().size(), 1u);
      EXPECT_EQ(desktop.shown()[0].first.find("Training was stopped"), 0u) << desktop.shown()[0].first;
    }
    kill(run.process(), SIGTERM);
    EXPECT_EQ(run.wait_for_end(120), 130);
    fs::remove_all(folder_.path() / "demo_splats");
  }
}

}  // namespace
