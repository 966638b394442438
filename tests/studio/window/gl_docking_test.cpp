// Panels that are taken out of their columns, docked, remembered and put back, by mouse and keys in the built program.
#include <gtest/gtest.h>

#include <fstream>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/studio/window/window_run.h"

namespace {

using test::WindowRun;

class GlDocking : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(io::write_splat_file(path_, splat::bench::make_scene({500, 400, 300}).model).ok());
  }
  static std::string settings_of(const WindowRun& run) {
    std::ifstream file(run.folder() / "config/hipsplat/window.json");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void choose(WindowRun& run, const std::string& action) {
    run.input("key ctrl+shift+p");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.typed == "="; }));
    run.input("type --delay 60 '" + action + "'");
    run.input("sleep 0.5 key Return");
  }

  splat::test::TempFolder folder_;
  const std::string path_ = (folder_.path() / "scene.ply").string();
};

bool settled(const test::WindowState& s) { return s.settled; }

TEST_F(GlDocking, ASectionIsDetachedDockedAndStillThereAtTheNextStart) {
  std::string settings;
  int narrower = 0, left = 0;
  {
    WindowRun run({path_});
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait(settled));
    const auto before = *run.state();
    run.click("detach camera");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.detached == 1; }));
    EXPECT_EQ(run.state()->width, before.width) << "it floats over the scene";
    // By its title to the right half of the cross that shows where it can go.
    const auto tab = run.place_of("tab camera");
    ASSERT_TRUE(tab);
    const int right = before.x + before.width / 2 + 57, middle = before.y + before.height / 2;
    run.drag(1, (*tab)[0], (*tab)[1], right, middle);
    ASSERT_TRUE(run.wait([&](const auto& s) { return s.width < before.width - 100 && s.x == before.x; }))
        << "it takes its room from the scene";
    narrower = run.state()->width, left = run.state()->x;
    run.input("key ctrl+q");
    ASSERT_EQ(run.wait_for_end(), 0);
    settings = settings_of(run);
    EXPECT_NE(settings.find("camera]"), std::string::npos) << settings;
  }
  WindowRun run({path_}, {}, settings);
  ASSERT_TRUE(run.wait([&](const auto& s) { return s.settled && s.detached == 1; }));
  EXPECT_EQ(run.state()->width, narrower);
  EXPECT_EQ(run.state()->x, left);
  run.input("search --name hipsplat windowsize 640 500");
  ASSERT_TRUE(run.wait([&](const auto& s) { return s.width < narrower - 50; }));
  run.input("search --name hipsplat windowsize " + std::to_string(WindowRun::kWidth) + " " +
            std::to_string(WindowRun::kHeight));
  EXPECT_TRUE(run.wait([&](const auto& s) { return s.width == narrower && s.x == left; }, 10)) << "it recovers";
  choose(run, "reset layout");
  EXPECT_TRUE(run.wait([&](const auto& s) { return s.detached == 0 && s.width > narrower + 100; }, 10));
  run.input("sleep 0.5 key ctrl+q");
  ASSERT_EQ(run.wait_for_end(), 0);
  EXPECT_EQ(settings_of(run).find("camera]"), std::string::npos) << settings_of(run);
}

TEST_F(GlDocking, TheTabThatWasInFrontStillIsAtTheNextStart) {
  std::string panels, settings, before;
  for (const char* panel : {"left", "camera", "display"})
    panels += "[Window][###" + std::string(panel) + "]\nDockId=0x00000001\n\n";
  settings = test::settings_with_layout(300, panels);
  for (const char* next : {"camera", "display", "left", "camera"}) {
    WindowRun run({path_}, {}, settings);
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait([&](const auto& s) { return s.settled && (before.empty() || s.in_front == before); }))
        << before;
    run.click("tab " + std::string(next));
    ASSERT_TRUE(run.wait([&](const auto& s) { return s.in_front == next; }));
    run.input("sleep 0.3 key ctrl+q");
    ASSERT_EQ(run.wait_for_end(), 0);
    settings = settings_of(run), before = next;
  }
}

TEST_F(GlDocking, ADetachedPanelThatIsClosedIsBackInItsColumn) {
  const std::string floating = test::settings_with_layout(300, R"([Window][###left]
DockId=0x00000001

[Window][###display]
Pos=420,120
Size=300,320

)");
  WindowRun run({path_}, {}, floating);
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled && s.detached == 1; }));
  run.finish_frame();
  const auto tab = run.place_of("tab display");
  ASSERT_TRUE(tab);
  EXPECT_NEAR((*tab)[0], 436, 8);
  EXPECT_NEAR((*tab)[1], 134, 12);
  run.input("mousemove 707 134 sleep 0.3 click 1");  // the cross at the title's right end
  EXPECT_TRUE(run.wait([](const auto& s) { return s.detached == 0; }, 10));
  EXPECT_EQ(run.state()->panels, "100");
}

TEST_F(GlDocking, ABrokenLayoutIsReplacedByTheUsualOne) {
  for (const std::string& layout :
       {std::string(R"({"layout": {"docked": {"scene": true}}})"), std::string(R"({"layout": "[Docking][Data]"})"),
        test::settings_with_layout(250, "[Window][###right]\nDockId=0x00000001\n")}) {
    WindowRun run({path_}, {}, layout);
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait(settled));
    EXPECT_EQ(run.state()->panels, "100");
    EXPECT_GE(run.state()->x, 250);
    run.input("key ctrl+q");
    EXPECT_EQ(run.wait_for_end(), 0);
  }
}

}  // namespace
