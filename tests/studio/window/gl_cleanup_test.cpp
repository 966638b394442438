// A clean-up in the window: proposed splats in the colours of their reasons, boxes around them, and what the mouse
// points at.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "io/io.h"
#include "tests/studio/window/gl_edit.h"
#include "tests/support/dark_balls.h"
#include "tests/support/scene_on_disk.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;
using test::WindowState;

// A short run on a small scene, with a dark ball before each camera.
class GlCleanup : public testing::TestWithParam<studio::RendererChoice> {
 protected:
  void SetUp() override {
    std::string said;
    ASSERT_EQ(test::run_program({HIPSPLAT_PROGRAM, "--train", scene_.dataset(), "-o", run_.string(), "-i", "300",
                                 "--eval", "--test-every", "5", "--backend", "cpu", "--quiet"},
                                {}, &said),
              0)
        << said;
    const fs::path file = run_ / "point_cloud/iteration_300/point_cloud.ply";
    auto splats = io::read_splat_file(file);
    ASSERT_TRUE(splats.ok()) << splats.error().message;
    const auto balls = splat::test::dark_balls(splats->gaussians, splat::test::make_tiny_dataset().dataset.views);
    splat::append_rows(balls, splats->gaussians);
    ASSERT_TRUE(io::write_splat_file(file, splats->gaussians).ok());
  }
  // Folds or unfolds until the proposal is looked at, or not.
  static void fold(WindowRun& run, bool shown) {
    for (int tries = 0; tries < 5 && run.state()->proposed != shown; ++tries) {
      run.click("Clean up");
      for (int i = 0; i < 100 && run.state()->proposed != shown; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ASSERT_EQ(run.state()->proposed, shown);
  }
  static void point_at(WindowRun& run, const std::string& place, const std::string& reason) {
    const auto at = run.place_of(place);
    ASSERT_TRUE(at) << place;
    run.input("mousemove " + std::to_string((*at)[0]) + " " + std::to_string((*at)[1]) + " sleep 0.3");
    EXPECT_TRUE(run.wait([&](const WindowState& s) { return s.pointed == reason; }, 10))
        << place << ": " << run.state()->pointed;
  }

  const app::test::SceneOnDisk scene_;
  const fs::path run_ = scene_.output("run");
};

TEST_P(GlCleanup, WhatIsProposedHasTheColoursAndBoxesOfItsReasons) {
  WindowRun run({run_.string()}, {}, test::drawn_by(GetParam()));
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.settled && s.splats > 0; }));
  run.input("key ctrl+e");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.editing; }));
  run.finish_frame();
  for (int tries = 0; tries < 5 && !run.place_of("Propose");
       ++tries) {  // the first may come before the frame without a dialog
    run.click("Clean up");
    for (int i = 0; i < 100 && !run.place_of("Propose"); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  run.finish_frame();
  run.click("Propose");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.proposed && s.selected > 0 && s.groups > 0; }, 120));
  EXPECT_LE(run.state()->groups, 24u);
  run.finish_frame();
  point_at(run, "Reason floater", "floater");
  point_at(run, "Normal", "none");

  // Its tints go with the section, those of a selection with the mode.
  const auto changes = [&](const std::function<void()>& change) {
    ASSERT_TRUE(run.wait([](const WindowState& s) { return s.settled; }));
    run.finish_frame();
    const splat::Image8 before = run.picture();
    change();
    const WindowState s = *run.state();
    const auto difference = [&] {
      const splat::Image8 now = run.picture();
      size_t changed = 0;
      for (int y = s.y + s.height / 4; y < s.y + 3 * s.height / 4; ++y)
        for (int x = s.x + s.width / 4; x < s.x + 3 * s.width / 4; ++x)
          changed += std::abs(int(now.pixels[size_t(3 * (y * now.width + x))]) -
                              int(before.pixels[size_t(3 * (y * now.width + x))])) > 20;
      return changed;
    };
    for (int i = 0; i < 200 && difference() < 200; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_GT(difference(), 200u) << "pixels";
  };
  changes([&] { fold(run, false); });
  changes([&] { fold(run, true); });
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.groups > 0; })) << "asked for again";

  const size_t groups = run.state()->groups;
  bool pointed = false;
  for (size_t i = 0; i < groups && !pointed; ++i) {
    const auto at = run.place_of("Group " + std::to_string(i));
    const WindowState s = *run.state();
    if (!at || (*at)[0] < s.x + 10 || (*at)[0] > s.x + s.width - 150 || (*at)[1] < s.y + 80 ||
        (*at)[1] > s.y + s.height - 10)
      continue;  // not in the picture, or under the buttons in its corner
    run.input("mousemove " + std::to_string((*at)[0]) + " " + std::to_string((*at)[1]) + " sleep 0.3");
    pointed = run.wait([](const WindowState& now) { return now.pointed != "none"; }, 5);
  }
  EXPECT_TRUE(pointed) << "no box could be pointed at";
  run.input("key Delete");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.deleted > 0 && s.groups == 0; })) << "their boxes go along";
  run.input("key ctrl+z");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.deleted == 0 && s.groups == groups; }));
}

INSTANTIATE_TEST_SUITE_P(By, GlCleanup,
                         testing::Values(studio::RendererChoice::kOpenGl, studio::RendererChoice::kEngine));

}  // namespace
