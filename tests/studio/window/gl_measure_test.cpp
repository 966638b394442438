// Measuring with real clicks: lengths, the scale that a known one gives and what becomes of it, and the up axis.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <thread>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/studio/window/gl_edit.h"

namespace {

using test::kSplats;
using test::WindowRun;
using test::WindowState;

class GlMeasure : public test::GlEdit {
 protected:
  static void begin_measuring(WindowRun& run) {
    begin(run);
    run.input("key m");
    run.finish_frame();
  }
  static void measure(WindowRun& run, int dx, int dy, size_t points) {
    click_beside_middle(run, dx, dy, &WindowState::measured, points);
  }
  // Types until `done`; what is in the field is selected by the click.
  static void enter(WindowRun& run, const char* field, const std::string& text,
                    const std::function<bool(const WindowState&)>& done) {
    for (int tries = 0; tries < 5 && !done(*run.state()); ++tries) {
      run.click(field);
      run.input("sleep 0.7 key ctrl+a type --delay 60 " + text);
      run.input("sleep 0.7 key Return");
      for (int i = 0; i < 100 && !done(*run.state()); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ASSERT_TRUE(done(*run.state())) << field;
  }
  // Two points that are 2.5 m apart; the length in units.
  static double measure_known_length(WindowRun& run) {
    measure(run, 0, 0, 1);
    measure(run, 60, 0, 2);
    const double length = run.state()->length;
    EXPECT_GT(length, 0);
    enter(run, "Known length", "2.5", [](const WindowState& s) { return s.scale > 0; });
    return length;
  }
};

TEST_F(GlMeasure, AKnownLengthSetsTheScaleAndThreePointsTheUpAxis) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin_measuring(run);
  const double length = measure_known_length(run);
  EXPECT_NEAR(run.state()->scale, 2.5 / length, 1e-4 * 2.5 / length);
  const auto up = run.state()->up;
  measure(run, 0, 60, 3);
  run.click("Up from the last three points");
  ASSERT_TRUE(run.wait([&](const WindowState& now) { return now.up != up; }));
  run.input("key BackSpace");
  ASSERT_TRUE(run.wait([](const WindowState& now) { return now.measured == 2; }));
  run.input("key Escape");
  ASSERT_TRUE(run.wait([](const WindowState& now) { return now.measured == 0 && now.scale > 0; }));
  EXPECT_EQ(run.state()->selected, 0u);
  EXPECT_EQ(quit(run), 0) << "there is nothing to save";
}

// 2.5 m of a thing are 2.5 m when the scene is made twice as large, undone, and in the file.
TEST_F(GlMeasure, AKnownLengthStaysWhereTheWholeSceneIsScaled) {
  double length = 0;
  const auto is_scaled = [&](double times) {
    return [&length, times](const WindowState& now) {
      const double scale = 2.5 / length / times;
      return std::abs(now.length - times * length) < 1e-3 * length && std::abs(now.scale - scale) < 1e-3 * scale;
    };
  };
  {
    WindowRun run({scene_.string()}, {}, begins_in_folder());
    SKIP_WITHOUT_DISPLAY(run);
    begin_measuring(run);
    length = measure_known_length(run);
    run.input("key t sleep 0.3 key t sleep 0.3 key t sleep 0.3");  // scale
    run.finish_frame();
    enter(run, "Factor", "2", [](const WindowState& s) { return s.unsaved; });
    EXPECT_TRUE(run.wait(is_scaled(2), 10)) << run.state()->length << " " << run.state()->scale;
    run.input("key ctrl+z");
    EXPECT_TRUE(run.wait(is_scaled(1), 10)) << run.state()->length << " " << run.state()->scale;
    run.input("key ctrl+shift+z");
    EXPECT_TRUE(run.wait(is_scaled(2), 10)) << run.state()->length << " " << run.state()->scale;
    run.input("key ctrl+s");
    save_copy(run);
    EXPECT_EQ(quit(run), 0);
  }
  WindowRun run({copy_.string()});
  EXPECT_TRUE(run.wait([&](const WindowState& s) { return std::abs(s.scale * 2 * length / 2.5 - 1) < 1e-3; }, 20))
      << run.state()->scale;
}

// All of it moves so, and the camera with it.
TEST_F(GlMeasure, APointBecomesTheOrigin) {
  WindowRun run({scene_.string()}, {}, begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  begin_measuring(run);
  measure(run, 30, 20, 1);
  const auto camera = run.state()->position;
  run.click("Origin to the last point");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.unsaved && s.measured == 0; }, 20));
  const auto moved = run.state()->position;
  run.finish_frame();
  run.input("key ctrl+s");
  save_copy(run);
  const auto saved = io::read_splat_file(copy_), opened = io::read_splat_file(scene_);
  ASSERT_TRUE(saved.ok() && opened.ok());
  double nearest = 1e9;
  for (size_t row = 0; row < kSplats; ++row) {
    const float *from = &opened->gaussians.means[3 * row], *to = &saved->gaussians.means[3 * row];
    for (size_t c = 0; c < 3; ++c) ASSERT_NEAR(to[c] - from[c], moved[c] - camera[c], 2e-4) << row;
    nearest = std::min(nearest, std::hypot(double(to[0]), double(to[1]), double(to[2])));
  }
  EXPECT_LT(nearest, 0.5) << "the point lay on what is seen there";
  EXPECT_GT(std::hypot(moved[0] - camera[0], moved[1] - camera[1], moved[2] - camera[2]), 0.1);
  EXPECT_EQ(quit(run), 0);
}

TEST_F(GlMeasure, TheGroundIsFoundAndLiesLevelFromThenOn) {
  constexpr double kTilt = 20 * M_PI / 180;
  splat::Gaussians model = splat::bench::make_scene({kSplats, 400, 300}).model;
  for (size_t row = 0; row < kSplats; ++row) {  // three quarters lie on a floor that is not level, the rest above it
    float* mean = &model.means[3 * row];
    const double along = mean[0], height = row % 4 == 0 ? std::abs(mean[1]) : 0;
    mean[0] = float(along * std::cos(kTilt) + height * std::sin(kTilt));
    mean[1] = float(along * std::sin(kTilt) - height * std::cos(kTilt));
  }
  ASSERT_TRUE(io::write_splat_file(scene_, model).ok());
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  const auto before = run.state()->up;
  run.input("key m");
  run.finish_frame();
  run.click("Up from the ground");
  ASSERT_TRUE(run.wait([&](const WindowState& now) { return now.up != before; }));
  const auto up = run.state()->up;
  EXPECT_NEAR(up[0], std::sin(kTilt), 0.01);
  EXPECT_NEAR(up[1], -std::cos(kTilt), 0.01);
  EXPECT_NEAR(up[2], 0, 0.01);
  EXPECT_EQ(quit(run), 0) << "there is nothing to save";
}

}  // namespace
