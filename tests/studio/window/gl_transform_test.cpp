// Moving, turning and scaling with handles and numbers: what is shown meanwhile, the one step it becomes, and the file.
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <cmath>

#include "tests/studio/window/gl_edit.h"

namespace {

using test::GlEdit;
using test::GlEditKept;
using test::kSplats;
using test::WindowRun;
using test::WindowState;

using Offset = std::array<float, 3>;

class GlTransform : public GlEdit {
 protected:
  // A part is selected and its handles are there.
  static size_t begin_with_a_part(WindowRun& run) {
    begin(run);
    drag_over_a_part(run);
    const size_t part = run.state()->selected;
    EXPECT_GT(part, 0u);
    run.input("key t");
    run.click("Gizmo");  // of no effect: nothing was dragged
    run.finish_frame();
    run.input("sleep 0.3");
    return part;
  }
};

constexpr const char* kDrag =
    "mousedown 1 sleep 0.3 mousemove_relative 30 0 sleep 0.2 mousemove_relative 40 10 sleep 0.4 ";

// How far each row lies from where it was, in the order of the file.
std::vector<Offset> offsets(const splat::Gaussians& from, const splat::Gaussians& to) {
  std::vector<Offset> result(from.size());
  for (size_t row = 0; row < from.size(); ++row)
    for (size_t c = 0; c < 3; ++c) result[row][c] = to.means[3 * row + c] - from.means[3 * row + c];
  return result;
}

// Rows that have moved, all by the same vector.
size_t moved_together(const std::vector<Offset>& offsets) {
  const Offset* first = nullptr;
  size_t moved = 0;
  for (const Offset& offset : offsets) {
    if (offset == Offset{0, 0, 0}) continue;
    if (!first) first = &offset;
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(offset[c], (*first)[c], 1e-5f);
    ++moved;
  }
  return moved;
}

TEST_F(GlTransform, ADragIsOneStepAndMovesThePartInTheFile) {
  WindowRun run({scene_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  const size_t part = begin_with_a_part(run);
  EXPECT_FALSE(run.state()->unsaved) << "a click moves nothing";
  const auto camera = run.state()->position;
  run.input(std::string(kDrag) + "mouseup 1");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.unsaved; }));
  EXPECT_EQ(run.state()->position, camera) << "the drag moved the camera";
  EXPECT_EQ(run.state()->selected, part);
  run.input("key ctrl+z");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return !s.unsaved; }));
  EXPECT_EQ(run.state()->selected, part) << "one step";
  run.input("key ctrl+shift+z");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.unsaved; }));
  run.input("key ctrl+s");
  save_copy(run);
  const auto saved = io::read_splat_file(copy_), opened = io::read_splat_file(scene_);
  ASSERT_TRUE(saved.ok() && opened.ok());
  EXPECT_EQ(moved_together(offsets(opened->gaussians, saved->gaussians)), part);
  EXPECT_EQ(saved->gaussians.sh, opened->gaussians.sh) << "what is only moved is not turned";
  EXPECT_EQ(quit(run), 0);
}

class GlTransformDrawn : public GlTransform, public testing::WithParamInterface<studio::RendererChoice> {};

TEST_P(GlTransformDrawn, WhatIsDraggedIsSeenThereAndEscapeAbandonsIt) {
  WindowRun run({scene_.string()}, {}, test::drawn_by(GetParam()));
  SKIP_WITHOUT_DISPLAY(run);
  const size_t part = begin_with_a_part(run);
  run.input("sleep 0.5");
  const splat::Image8 before = run.picture();
  run.input(kDrag);
  EXPECT_TRUE(run.wait_for_change(before, 1.5)) << "nothing is seen of the drag";
  run.input("key Escape sleep 0.2 mouseup 1");
  for (int i = 0; i < 100 && test::mean_difference(run.picture(), before) > 0.5; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_LT(test::mean_difference(run.picture(), before), 0.5) << "it is not back";
  run.finish_frame();
  EXPECT_FALSE(run.state()->unsaved);
  EXPECT_EQ(run.state()->selected, part) << "Escape was the handle's";
  run.input("key ctrl+z");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == 0; })) << "there was a step for the drag";
  EXPECT_EQ(quit(run), 0);
}

INSTANTIATE_TEST_SUITE_P(By, GlTransformDrawn,
                         testing::Values(studio::RendererChoice::kOpenGl, studio::RendererChoice::kEngine));

// Numbers that are typed; the field is clicked again where a click came too early.
void type_number(WindowRun& run, const std::string& field, const std::string& number) {
  for (int tries = 0; tries < 5 && !run.state()->unsaved; ++tries) {
    run.click(field);
    run.input("sleep 0.7 key ctrl+a type --delay 60 " + number);
    run.input("sleep 0.7 key Return");
    for (int i = 0; i < 100 && !run.state()->unsaved; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ASSERT_TRUE(run.state()->unsaved);
}

TEST_F(GlTransform, TypedDegreesTurnTheWholeSceneWhereNothingIsSelected) {
  WindowRun run({scene_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  run.input("key t");
  run.finish_frame();
  run.input("key t");  // turn
  run.finish_frame();
  type_number(run, "About Z", "90");
  run.input("key ctrl+s");
  save_copy(run);
  const auto saved = io::read_splat_file(copy_), opened = io::read_splat_file(scene_);
  ASSERT_TRUE(saved.ok() && opened.ok());
  std::array<double, 2> middle{};
  for (size_t row = 0; row < kSplats; ++row)
    for (size_t c = 0; c < 2; ++c) middle[c] += double(opened->gaussians.means[3 * row + c]) / double(kSplats);
  for (size_t row = 0; row < kSplats; ++row) {
    const float *from = &opened->gaussians.means[3 * row], *to = &saved->gaussians.means[3 * row];
    ASSERT_NEAR(to[0], middle[0] - (double(from[1]) - middle[1]), 1e-4) << row;
    ASSERT_NEAR(to[1], middle[1] + (double(from[0]) - middle[0]), 1e-4) << row;
    ASSERT_NEAR(to[2], from[2], 1e-5) << row;
  }
  EXPECT_NE(saved->gaussians.sh, opened->gaussians.sh) << "colours turn along";
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlEditKept, MovesOutliveAKill) {
  folder_.write("config/hipsplat/window.json", begins_in_folder());
  {
    WindowRun run({scene_.string()}, remembering());
    SKIP_WITHOUT_DISPLAY(run);
    begin(run);
    run.input("key t");
    run.finish_frame();
    type_number(run, "Along X", "2.5");
    ASSERT_TRUE(wait_for_files(1));
    kill(run.process(), SIGKILL);
  }
  WindowRun run({scene_.string()}, remembering(), "");
  run.click("Restore");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.unsaved; }));
  run.input("key ctrl+s");
  save_copy(run);
  const auto saved = io::read_splat_file(copy_), opened = io::read_splat_file(scene_);
  ASSERT_TRUE(saved.ok() && opened.ok());
  const auto all = offsets(opened->gaussians, saved->gaussians);
  EXPECT_EQ(moved_together(all), kSplats);
  EXPECT_NEAR(all.front()[0], 2.5f, 1e-5f);
  EXPECT_EQ(quit(run), 0);
}

}  // namespace
