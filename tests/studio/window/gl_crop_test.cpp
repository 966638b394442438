// The crop box with real keys and drags: proposed, dragged, typed, selected and deleted by, shown alone, and kept.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/studio/window/gl_edit.h"

namespace {

using test::GlEdit;
using test::GlEditKept;
using test::kSplats;
using test::WindowRun;
using test::WindowState;

class GlCrop : public GlEditKept {
 protected:
  static void begin_with_a_box(WindowRun& run) {
    begin(run);
    run.input("key j");
    ASSERT_TRUE(run.wait([](const WindowState& s) { return s.crop[3] > 0; }));
    run.finish_frame();
  }
};

TEST_F(GlCrop, SelectsAndDeletesByKeys) {
  WindowRun run({scene_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  begin_with_a_box(run);
  run.input("key Return");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected > 0; }));
  const size_t inside = run.state()->selected;
  EXPECT_GT(inside, kSplats / 2) << "the middle 90 % along each axis";
  EXPECT_LT(inside, kSplats);
  run.input("key shift+Return");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.selected == kSplats - inside; }));
  run.input("key shift+j");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.hidden == kSplats - inside; }));
  run.input("key shift+j");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.hidden == 0; }));
  EXPECT_FALSE(run.state()->unsaved) << "hiding changes no file";
  run.input("key shift+Delete");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.deleted == kSplats - inside; }));
  run.input("key ctrl+z");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.deleted == 0; }));
  run.input("key ctrl+shift+z");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.deleted == kSplats - inside; }));
  run.input("key ctrl+s");
  save_copy(run);
  const auto saved = io::read_splat_file(copy_);
  ASSERT_TRUE(saved.ok());
  EXPECT_EQ(saved->gaussians.size(), inside);
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlCrop, PresetsAreAroundAllTheMiddleAndTheSelection) {
  WindowRun run({scene_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  begin_with_a_box(run);
  const auto volume = [](const WindowState& s) { return s.crop[3] * s.crop[4] * s.crop[5]; };
  const double middle = volume(*run.state());
  run.click("All##box");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return volume(s) > middle * 1.1; }));
  const double all = volume(*run.state());
  run.input("key Return");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == kSplats; })) << "nothing is outside";
  run.click("Middle 90 %");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return std::abs(volume(s) - middle) < 1e-3 * middle; }));
  run.input("key Return");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected < kSplats; }));
  const size_t inside = run.state()->selected;
  run.finish_frame();
  run.click("Selection");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return volume(s) < middle * (1 - 1e-6); }))
      << "as tight as the splats that the box was around";
  EXPECT_LT(volume(*run.state()), all);
  run.input("key shift+Return");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.selected == kSplats - inside; })) << "the same are inside";
  run.input("key ctrl+comma sleep 0.7 key Return sleep 0.3 key F1");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.keys; }));
  EXPECT_EQ(run.state()->selected, kSplats - inside) << "Enter is the preferences' own, who are in front";
  run.input("sleep 0.3 key Escape");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return !s.keys; })) << "the sheet of keys alone";
  run.input("sleep 0.3 key Escape sleep 0.3");
  run.finish_frame();
  EXPECT_EQ(run.state()->selected, kSplats - inside) << "Escape closes the preferences in front, and no more";
  run.input("key Escape");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == 0; }));
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlCrop, FacesAndArrowsDragItAndWhatIsShownFollows) {
  WindowRun run({scene_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  begin_with_a_box(run);
  run.input("key shift+j");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.hidden > 0; }));
  const WindowState before = *run.state();
  run.click("Gizmo");  // of no effect: nothing was dragged
  run.finish_frame();
  EXPECT_EQ(run.state()->crop, before.crop);
  run.input(
      "sleep 0.3 mousedown 1 sleep 0.3 mousemove_relative 30 0 sleep 0.2 mousemove_relative 60 15 sleep 0.4 mouseup 1");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.crop != before.crop && s.hidden != before.hidden; }));
  const WindowState moved = *run.state();
  for (size_t c = 3; c < 6; ++c) EXPECT_NEAR(moved.crop[c], before.crop[c], 1e-4) << "it is moved, not resized";
  EXPECT_EQ(moved.position, before.position) << "the camera stays";
  bool resized = false;
  for (int face = 0; face < 6 && !resized; ++face) {  // one of them is in sight and not behind the gizmo
    run.click("Face " + std::to_string(face));
    run.input(
        "sleep 0.2 mousedown 1 sleep 0.2 mousemove_relative 12 9 sleep 0.2 mousemove_relative 12 9 sleep 0.3 mouseup "
        "1");
    run.finish_frame();
    run.finish_frame();
    const auto now = run.state()->crop;
    resized =
        std::abs(now[3] - moved.crop[3]) + std::abs(now[4] - moved.crop[4]) + std::abs(now[5] - moved.crop[5]) > 1e-3;
  }
  EXPECT_TRUE(resized);
  const auto resized_box = run.state()->crop;
  run.click("Gizmo");
  run.input("sleep 0.3 mousedown 1 sleep 0.3 mousemove_relative 40 0 sleep 0.3 key Escape sleep 0.2 mouseup 1");
  run.finish_frame();
  EXPECT_EQ(run.state()->crop, resized_box) << "Escape abandons a drag";
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlCrop, IsKeptWithItsSceneAndOfferedToOthers) {
  constexpr std::array<int, 2> kHigh{WindowRun::kWidth, 900};  // all fields in sight, below the sections that stay
  folder_.write("config/hipsplat/window.json", begins_in_folder());
  const auto other = folder_.path() / "other.ply";
  ASSERT_TRUE(io::write_splat_file(other, splat::bench::make_scene({300, 400, 300}).model).ok());
  std::array<double, 6> box{};
  {
    WindowRun run({scene_.string()}, remembering(), "", kHigh);
    SKIP_WITHOUT_DISPLAY(run);
    begin_with_a_box(run);
    box = run.state()->crop;
    run.click("Turned");  // the field in its middle: about y
    run.input("sleep 0.7 key ctrl+a type --delay 60 30");
    run.input("sleep 0.7 key Return");
    ASSERT_TRUE(run.wait([](const WindowState& s) { return std::abs(s.crop_turn - 30 * 0.017453293) < 1e-3; }));
    run.finish_frame();
    EXPECT_EQ(run.state()->selected, 0u) << "Enter in a field is the field's alone";
    run.click("Save box...");
    for (int i = 0; i < 30 && !std::filesystem::exists(folder_.path() / "box.json"); ++i)
      run.input("sleep 0.7 key Return");
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "box.json"));
    run.input("sleep 1");
    EXPECT_EQ(quit(run), 0);
  }
  {
    WindowRun run({scene_.string()}, remembering(), "", kHigh);
    ASSERT_TRUE(run.wait([](const WindowState& s) { return s.crop[3] > 0; }));
    for (size_t c = 0; c < 6; ++c) EXPECT_NEAR(run.state()->crop[c], box[c], 1e-4);
    EXPECT_NEAR(run.state()->crop_turn, 30 * 0.017453293, 1e-3);
    EXPECT_EQ(quit(run), 0);
  }
  WindowRun run({other.string()}, remembering(), "", kHigh);
  begin_with_a_box(run);
  run.click("Last used");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return std::abs(s.crop[3] - box[3]) < 1e-4 && s.crop_turn > 0.1; }));
  run.click("Remove");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.crop[3] == 0; }));
  EXPECT_EQ(quit(run), 0);
}

}  // namespace
