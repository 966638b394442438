// The edit mode with real keys and drags: what is selected, deleted, undone and saved.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/studio/window/gl_edit.h"

namespace {

namespace fs = std::filesystem;
using test::bytes_of;
using test::GlEdit;
using test::GlEditKept;
using test::kSplats;
using test::WindowRun;
using test::WindowState;

TEST_F(GlEdit, SelectDeleteUndoRedoAndSave) {
  WindowRun run({scene_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  run.input("key x");  // through
  run.finish_frame();
  const auto camera = run.state()->position;
  drag_over_a_part(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected > 0 && s.selected < kSplats; }));
  EXPECT_EQ(run.state()->position, camera) << "the tool's drag moved the camera";
  const size_t selected = run.state()->selected;
  run.input("key Delete");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.deleted == selected && s.selected == 0 && s.unsaved; }));
  run.input("key ctrl+z");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.deleted == 0 && s.selected == selected && !s.unsaved; }));
  run.input("key ctrl+shift+z");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.deleted == selected && s.unsaved; }));
  run.input("key ctrl+s");
  save_copy(run);
  const auto left = io::read_splat_file(copy_);
  ASSERT_TRUE(left.ok()) << left.error().message;
  EXPECT_EQ(left->gaussians.size(), kSplats - selected);
  run.input("key ctrl+z");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.deleted == 0 && s.unsaved; })) << "the file lacks them";
  run.input("key ctrl+shift+z");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return !s.unsaved; }));
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlEdit, TheListOfActionsHasItsSteps) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  const auto pick = [&](const std::string& words) {
    run.input("key ctrl+shift+p sleep 1 type --delay 60 '" + words + "'");
    run.input("sleep 0.5 key Return");
  };
  pick("select all splats");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == kSplats; }, 20));
  run.finish_frame();
  pick("delete the selected");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.deleted == kSplats; }, 20));
}

TEST_F(GlEdit, VisibleSelectsLessThanThrough) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  drag_over_a_part(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected > 0; }));
  const size_t visible = run.state()->selected;
  run.input("key x");
  run.finish_frame();
  drag_over_a_part(run);
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.selected > visible; }));
  const size_t through = run.state()->selected;
  run.input("key i");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.selected == kSplats - through; }));
  run.input("key Escape");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == 0; }));
  EXPECT_EQ(quit(run), 0) << "there is nothing to save";
}

TEST_F(GlEdit, GrowShrinkHideAndLock) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  drag_over_a_part(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected > 0; }));
  const size_t selected = run.state()->selected;
  run.input("key plus");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.selected > selected; }));
  const size_t grown = run.state()->selected;
  ASSERT_LT(grown, kSplats);
  run.input("key minus");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.selected < grown; }));
  run.input("key ctrl+z");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.selected == grown; }));
  run.input("key h");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.hidden == grown && s.selected == 0; }));
  run.input("key ctrl+a");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.selected == kSplats - grown; })) << "not what is hidden";
  run.input("key k");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.locked == kSplats - grown && s.selected == 0; }));
  run.input("key shift+h");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.hidden == 0; }));
  run.input("key ctrl+a");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.selected == grown; })) << "not what is locked";
  run.input("key shift+k");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.locked == 0; }));
  EXPECT_EQ(quit(run), 0) << "a file keeps what is hidden or locked";
}

TEST_F(GlEdit, TheColourPickerSelectsWhatLooksAlike) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  run.input("key c");
  run.finish_frame();
  const WindowState s = *run.state();
  const std::string middle = std::to_string(s.x + s.width / 2) + " " + std::to_string(s.y + s.height / 2);
  select_by(run, [&] { run.input("mousemove " + middle + " sleep 0.2 click 1"); });
  EXPECT_GT(run.state()->selected, 0u);
  EXPECT_LT(run.state()->selected, kSplats / 2);
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlEdit, FloodSphereAndBoxSelectAroundAPoint) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  const WindowState s = *run.state();
  const int x = s.x + s.width / 2, y = s.y + s.height / 2;
  size_t selected[3] = {};
  const char* const keys[3] = {"o", "n", "y"};
  for (int i = 0; i < 3; ++i) {
    run.input("key ctrl+shift+a");
    ASSERT_TRUE(run.wait([](const WindowState& now) { return now.selected == 0; }));
    run.input(std::string("key ") + keys[i]);
    run.finish_frame();
    select_by(run, [&] { run.drag(1, x, y, x + 60, y); });
    selected[i] = run.state()->selected;
    EXPECT_GT(selected[i], 0u) << keys[i];
    EXPECT_LT(selected[i], kSplats) << keys[i];
  }
  EXPECT_GT(selected[2], selected[1]) << "the box holds the sphere";
  EXPECT_EQ(quit(run), 0);
}

// The last frame that was drawn still had the mouse over the panels.
TEST_F(GlEdit, APressJustAfterThePanelsIsTheScenes) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  run.input("key n");
  run.finish_frame();
  const WindowState s = *run.state();
  const std::string x = std::to_string(s.x + s.width / 2), y = std::to_string(s.y + s.height / 2);
  run.input("mousemove 1098 718 sleep 0.5");  // over the status bar
  run.finish_frame();
  kill(run.process(), SIGSTOP);  // it then sees all of this within one frame
  run.input("mousemove " + x + " " + y + " mousedown 1 mouseup 1");
  kill(run.process(), SIGCONT);
  EXPECT_TRUE(run.wait([](const WindowState& now) { return now.selected > 0; }, 20));
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlEdit, ADragOverTheHistogramSelects) {
  const splat::Gaussians model = splat::bench::make_scene({kSplats, 400, 300}).model;
  const auto at_least = [&](double opacity) {
    const double logit = std::log(opacity / (1 - opacity));
    return size_t(std::count_if(model.logit_opacities.begin(), model.logit_opacities.end(),
                                [&](float value) { return value >= logit; }));
  };
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  run.click("Select by value");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.histogram == 128; }));
  const std::string drag =
      "mousedown 1 sleep 0.3 mousemove_relative 30 0 sleep 0.3 mousemove_relative 400 0 sleep 0.3 mouseup 1";
  run.click("Histogram");  // of opacity: one bin in the middle
  run.finish_frame();
  run.input(drag);
  ASSERT_TRUE(run.wait([&](const WindowState& s) {
    return s.selected >= at_least(0.52) && s.selected <= at_least(0.48) && s.selected > 0;
  }));
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlEdit, ContributionsAreThoseToThePresentView) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  run.click("Select by value");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.histogram == 128; }));
  run.finish_frame();
  run.click("##value");
  run.click("contribution");
  run.finish_frame();
  run.click("To");
  run.input("sleep 0.7 key ctrl+a type --delay 60 0");
  run.input("sleep 0.5 key Return");
  const auto select_what_is_not_seen = [&] {
    run.input("sleep 1");
    run.finish_frame();
    run.click("Select the range");
    run.input("sleep 1");
    run.finish_frame();
    return run.state()->selected;
  };
  const size_t unseen = select_what_is_not_seen();
  EXPECT_LT(unseen, kSplats / 2) << "most of the scene is in the picture";
  const WindowState s = *run.state();
  const std::string middle = std::to_string(s.x + s.width / 2) + " " + std::to_string(s.y + s.height / 2);
  run.input("mousemove " + middle + " click --repeat 12 --delay 60 4");  // so near that a part alone is in the picture
  ASSERT_TRUE(run.wait([&](const WindowState& now) { return now.settled; }));
  EXPECT_GT(select_what_is_not_seen(), unseen + kSplats / 10) << "the view is another one";
  EXPECT_EQ(quit(run), 0);
}

class GlEditDrawn : public GlEdit, public testing::WithParamInterface<studio::RendererChoice> {};

TEST_P(GlEditDrawn, WhatIsDeletedIsNotThereAndSelectedSplatsAreTinted) {
  WindowRun run({scene_.string()}, {}, test::drawn_by(GetParam()));
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  const splat::Image8 before = run.picture();
  run.input("key ctrl+a");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == kSplats; }));
  EXPECT_TRUE(run.wait_for_change(before, 5)) << "the selection is not to be seen";
  run.input("key Delete");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.deleted == kSplats && s.settled; }));
  run.finish_frame();
  const WindowState s = *run.state();
  const auto colours = [&] {
    return test::distinct_colours(run.picture(), s.x + s.width / 4, s.y + 5 * s.height / 8, s.width / 2, s.height / 4);
  };
  for (int i = 0; i < 200 && colours() > 1; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_LE(colours(), 1u) << "the background";
}

INSTANTIATE_TEST_SUITE_P(By, GlEditDrawn,
                         testing::Values(studio::RendererChoice::kOpenGl, studio::RendererChoice::kEngine));

TEST_F(GlEdit, SavingWithoutEditsGivesTheSameBytes) {
  WindowRun run({scene_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  run.input("key ctrl+a");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == kSplats; }));
  run.input("key ctrl+s");
  save_copy(run);
  EXPECT_EQ(quit(run), 0);
  EXPECT_TRUE(bytes_of(copy_) == bytes_of(scene_));
}

TEST_F(GlEdit, ClosingAsksAndEnterSaves) {
  WindowRun run({scene_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  run.input("key ctrl+a");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == kSplats; }));
  run.input("key ctrl+shift+a");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == 0; }));
  drag_over_a_part(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected > 0; }));
  run.input("key Delete");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.unsaved; }));
  run.input("key ctrl+q");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.asks; }));
  run.input("key Escape");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return !s.asks && s.unsaved; }));
  run.input("key ctrl+q");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.asks; }));
  run.input("key Return");
  save_copy(run);  // Enter answered the question and nothing behind it
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlEdit, EditsAreLostOnlyWhenThatWasAnswered) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  run.input("key ctrl+a");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == kSplats; }));
  run.input("key Delete");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.unsaved; }));
  run.input("key ctrl+q");
  run.click("Close without saving");
  EXPECT_EQ(run.wait_for_end(), 0);
}

TEST_F(GlEdit, OpeningSomethingElseAsksAndHasNoEdits) {
  constexpr size_t kOthers = 1500;
  ASSERT_TRUE(
      io::write_splat_file(folder_.path() / "other.ply", splat::bench::make_scene({kOthers, 400, 300}).model).ok());
  WindowRun run({scene_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  run.input("key ctrl+a");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == kSplats; }));
  run.input("key Delete");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.unsaved; }));
  const splat::Image8 before = run.picture();
  run.input("key ctrl+o");
  ASSERT_TRUE(run.wait_for_change(before, 1));
  run.input("sleep 1.5 type other.ply");
  run.click("Open###choose");
  run.click("Open without saving");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.splats == kOthers && !s.unsaved && !s.editing; }));
  run.input("key ctrl+e");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.editing && s.deleted == 0; }));
  run.input("key ctrl+a");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.selected == kOthers; }));
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlEditKept, AKilledWindowLosesNothingOlderThanHalfAMinute) {
  size_t deleted = 0;
  {
    WindowRun run({scene_.string()}, remembering());
    SKIP_WITHOUT_DISPLAY(run);
    deleted = delete_a_part(run);
    ASSERT_TRUE(wait_for_files(1));
    kill(run.process(), SIGKILL);
  }
  {
    WindowRun run({}, remembering());  // offered without the file, too
    run.click("Restore");
    ASSERT_TRUE(
        run.wait([&](const WindowState& s) { return s.splats == kSplats && s.deleted == deleted && s.unsaved; }));
    run.input("key ctrl+q");
    ASSERT_TRUE(run.wait([](const WindowState& s) { return s.asks; }));
    run.click("Close without saving");
    EXPECT_EQ(run.wait_for_end(), 0);
  }
  EXPECT_EQ(files(), 0u) << "they were given up";
}

TEST_F(GlEditKept, ALostDisplayKeepsEdits) {
  WindowRun run({scene_.string()}, remembering());
  SKIP_WITHOUT_DISPLAY(run);
  delete_a_part(run);
  run.crash_display();
  EXPECT_EQ(run.wait_for_end(), 1);
  EXPECT_EQ(files(), 1u);
}

TEST_F(GlEditKept, ASignalKeepsEditsAndDiscardingThemIsPossible) {
  {
    WindowRun run({scene_.string()}, remembering());
    SKIP_WITHOUT_DISPLAY(run);
    delete_a_part(run);
    kill(run.process(), SIGTERM);
    EXPECT_EQ(run.wait_for_end(), 130);
  }
  ASSERT_EQ(files(), 1u);
  WindowRun run({scene_.string()}, remembering());
  run.click("Discard");
  EXPECT_TRUE(wait_for_files(0));
  run.finish_frame();
  EXPECT_FALSE(run.state()->unsaved);
  EXPECT_EQ(quit(run), 0);
}

}  // namespace
