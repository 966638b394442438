// Edits that add rows: copies and objects, drawn, saved, undone and kept through a crash.
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/studio/window/gl_edit.h"

namespace {

using test::bytes_of;
using test::GlEdit;
using test::GlEditKept;
using test::kSplats;
using test::WindowRun;
using test::WindowState;

// A part is selected; how many splats that is.
size_t selected_part(WindowRun& run) {
  EXPECT_TRUE(run.wait([](const WindowState& s) { return s.selected > 0 && s.selected < kSplats; }));
  return run.state()->selected;
}

TEST_F(GlEdit, DuplicatesAreSplatsOfTheFile) {
  WindowRun run({scene_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  drag_over_a_part(run);
  const size_t part = selected_part(run);
  run.input("key ctrl+d");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.splats == kSplats + part && s.unsaved; }));
  EXPECT_EQ(run.state()->selected, part) << "the copies";
  run.input("key ctrl+z");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.splats == kSplats && s.selected == part && !s.unsaved; }));
  run.input("key ctrl+shift+z");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.splats == kSplats + part && s.unsaved; }));
  run.input("key ctrl+s");
  save_copy(run);
  const auto saved = io::read_splat_file(copy_), opened = io::read_splat_file(scene_);
  ASSERT_TRUE(saved.ok() && opened.ok());
  ASSERT_EQ(saved->gaussians.size(), kSplats + part);
  const auto& means = saved->gaussians.means;
  EXPECT_TRUE(std::equal(opened->gaussians.means.begin(), opened->gaussians.means.end(), means.begin()));
  for (size_t row = kSplats; row < kSplats + part; ++row) {
    bool found = false;
    for (size_t of = 0; of < kSplats && !found; ++of)
      found = std::equal(&means[3 * of], &means[3 * of] + 3, &means[3 * row]);
    ASSERT_TRUE(found) << "row " << row << " is no copy";
  }
  run.input("key Delete");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.deleted == part && s.unsaved; })) << "the file has them";
  run.input("key ctrl+z");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.deleted == 0 && !s.unsaved; }));
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlEdit, ASeparatedPartIsSelectedAndSavedAlone) {
  WindowRun run({scene_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  drag_over_a_part(run);
  const size_t part = selected_part(run);
  run.input("key ctrl+j");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.objects == 2; }));
  run.input("key ctrl+shift+a");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == 0; }));
  run.finish_frame();
  run.click("Object 1");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.selected == part; }));
  run.click("Object 0");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.selected == kSplats - part; }));
  const std::filesystem::path rest = folder_.path() / "scene-rest.ply";
  run.click("Save 0");
  for (int i = 0; i < 60 && !std::filesystem::exists(rest); ++i) run.input("sleep 0.7 key Return");
  const auto saved = io::read_splat_file(rest);
  ASSERT_TRUE(saved.ok()) << saved.error().message;
  EXPECT_EQ(saved->gaussians.size(), kSplats - part);
  EXPECT_EQ(quit(run), 0) << "a file has no objects: nothing is lost";
}

class GlEditRowsDrawn : public GlEdit, public testing::WithParamInterface<studio::RendererChoice> {};

// Copies in the place of everything that was opened look the same.
TEST_P(GlEditRowsDrawn, CopiesAreDrawn) {
  WindowRun run({scene_.string()}, {}, test::drawn_by(GetParam()));
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  run.input("sleep 0.5");  // the panel of the tools has made the scene narrower
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.settled && !s.keys; }));
  run.input("sleep 0.5");
  const splat::Image8 before = run.picture();
  run.input("key ctrl+a");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == kSplats; }));
  run.input("key ctrl+d");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.splats == 2 * kSplats; }));
  run.input("key i");
  run.input("key Delete");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.deleted == kSplats && s.selected == 0 && s.settled; }));
  const WindowState s = *run.state();
  const auto difference = [&] {
    const splat::Image8 now = run.picture();
    double sum = 0;
    size_t count = 0;
    for (int y = s.y + s.height / 4; y < s.y + 3 * s.height / 4; ++y)
      for (int x = 3 * (s.x + s.width / 4); x < 3 * (s.x + 3 * s.width / 4); ++x, ++count) {
        const size_t at = size_t(y) * size_t(3 * now.width) + size_t(x);
        sum += std::abs(int(now.pixels[at]) - int(before.pixels[at]));
      }
    return sum / double(count);
  };
  for (int i = 0; i < 100 && difference() > 0.5; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_LT(difference(), 0.5) << "levels";
  run.input("key ctrl+a");
  run.input("key Delete");
  ASSERT_TRUE(run.wait([](const WindowState& now) { return now.deleted == 2 * kSplats && now.settled; }));
  for (int i = 0; i < 100 && difference() < 5; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_GT(difference(), 5) << "without them there is nothing to be seen";
}

INSTANTIATE_TEST_SUITE_P(By, GlEditRowsDrawn,
                         testing::Values(studio::RendererChoice::kOpenGl, studio::RendererChoice::kEngine));

TEST_F(GlEditKept, CopiesOutliveAKill) {
  size_t part = 0;
  {
    WindowRun run({scene_.string()}, remembering());
    SKIP_WITHOUT_DISPLAY(run);
    begin(run);
    drag_over_a_part(run);
    part = selected_part(run);
    run.input("key ctrl+d");
    ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.splats == kSplats + part && s.unsaved; }));
    run.input("key ctrl+j");
    ASSERT_TRUE(run.wait([](const WindowState& s) { return s.objects == 2; }));
    ASSERT_TRUE(wait_for_files(1));
    kill(run.process(), SIGKILL);
  }
  WindowRun run({scene_.string()}, remembering(), "");
  run.click("Restore");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.splats == kSplats + part && s.unsaved; }));
  EXPECT_EQ(run.state()->objects, 2u);
  run.input("key ctrl+e");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.editing; }));
  run.input("key ctrl+z");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.splats == kSplats && s.objects == 1 && !s.unsaved; }));
  EXPECT_EQ(quit(run), 0);
}

}  // namespace
