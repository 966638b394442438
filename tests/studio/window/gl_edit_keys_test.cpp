// The tools of the edit mode without a mouse: each is chosen by its key, drawn by arrows and Space, and selects.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "tests/studio/window/gl_edit.h"

namespace {

using test::kSplats;
using test::WindowRun;
using test::WindowState;

class GlEditKeys : public test::GlEdit {
 protected:
  static std::string times(int count, const std::string& key) {
    std::string words;
    for (int i = 0; i < count; ++i) words += " " + key;
    return words;
  }
  // Keys, until the selection is as wanted: those that come while the sheet of keys is still there are its own.
  static void press(WindowRun& run, const std::string& keys, const std::function<bool(const WindowState&)>& done) {
    run.input("sleep 0.3 key --delay 30" + keys);
    ASSERT_TRUE(run.wait(done, 20)) << keys;
  }
};

TEST_F(GlEditKeys, EveryToolThatIsDrawnSelects) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  const auto any = [](const WindowState& s) { return s.selected > 0; };
  const auto none = [](const WindowState& s) { return s.selected == 0; };
  const std::string corner = times(6, "Right"), down = times(6, "Down"), back = times(6, "Left") + times(6, "Up");
  for (const char* tool : {"r", "l", "b", "n", "y"}) {
    press(run, " " + std::string(tool) + " space" + corner + down + " space", any);
    EXPECT_LT(run.state()->selected, kSplats) << tool;
    press(run, " Escape" + back, none);
  }
  press(run, " p space" + corner + " space" + down + " space Return", any);
  press(run, " Escape" + back, none);
  for (const char* tool : {"c", "o"}) {
    press(run, " " + std::string(tool) + " space", any);
    press(run, " Escape", none);
  }
  EXPECT_EQ(quit(run), 0) << "there is nothing to save";
}

TEST_F(GlEditKeys, ShiftAddsAndControlRemoves) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  const std::string square = times(5, "Right") + times(5, "Down");
  press(run, " r x space" + square + " space", [](const WindowState& s) { return s.selected > 0; });
  const size_t first = run.state()->selected;
  press(run, " space" + square + " shift+space", [&](const WindowState& s) { return s.selected > first; });
  const size_t both = run.state()->selected;
  press(run, " space" + times(5, "Left") + times(5, "Up") + " ctrl+space",
        [&](const WindowState& s) { return s.selected < both; });
  EXPECT_EQ(run.state()->selected, first) << "the second square is gone";
  press(run, times(4, "Left") + times(4, "Up") + " space" + square + " ctrl+shift+space",
        [&](const WindowState& s) { return s.selected < first && s.selected > 0; });
}

TEST_F(GlEditKeys, PointsAreMeasuredAndValuesTyped) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  press(run, " m space", [](const WindowState& s) { return s.measured == 1; });
  press(run, times(5, "Right") + " space", [](const WindowState& s) { return s.measured == 2 && s.length > 0; });
  run.input("key r");  // whose part of the panel is small
  run.finish_frame();
  run.click("Select by value");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.histogram > 0; }));
  run.finish_frame();
  const splat::Gaussians model = splat::bench::make_scene({kSplats, 400, 300}).model;
  const size_t opaque = size_t(std::count_if(model.logit_opacities.begin(), model.logit_opacities.end(),
                                             [](float logit) { return logit >= 0; }));
  for (int tries = 0; tries < 5 && run.state()->selected != opaque; ++tries) {
    run.click("From");  // what is in it, of opacity, is selected by that
    run.input("sleep 0.7 type --delay 60 0.5");
    run.input("sleep 0.5 key Return");
    for (int i = 0; i < 100 && run.state()->selected != opaque; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(run.state()->selected, opaque);
}

}  // namespace
