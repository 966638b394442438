// The window as a user has it: the built program on a virtual display, with real mouse and keyboard events.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "io/image_file.h"
#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/viewer/window_run.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;
using test::WindowState;

constexpr int kRunning = 2, kPaused = 3;  // viewer::RunStatus
const fs::path kDemo = fs::path(HIPSPLAT_SOURCE_DIR) / "assets/demo";
const fs::path kData = fs::path(HIPSPLAT_SOURCE_DIR) / "../shared/data";

#define SKIP_WITHOUT_DISPLAY(run) \
  if (!(run).can_run()) GTEST_SKIP() << "there is no Xvfb or no xdotool here"

// A splat file to look at, in its own folder.
class SplatFile {
 public:
  explicit SplatFile(size_t splats = 20'000) : path_(folder_.path() / "scene.ply") {
    EXPECT_TRUE(io::write_splat_file(path_, splat::bench::make_scene({splats, 400, 300}).model).ok());
  }
  const fs::path& path() const { return path_; }

 private:
  splat::test::TempFolder folder_;
  fs::path path_;
};

bool settled(const WindowState& s) { return s.settled; }

double distance(const WindowState& a, const WindowState& b) {
  return std::hypot(a.position[0] - b.position[0], a.position[1] - b.position[1], a.position[2] - b.position[2]);
}

TEST(GlWindow, OrbitFlyAndKeysMoveTheCameraAndThePicture) {
  const SplatFile file;
  WindowRun run({file.path().string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.splats == 20'000 && s.settled; }));
  const WindowState before = *run.state();
  const splat::Image8 first = run.picture();
  EXPECT_GT(test::distinct_colours(first, before.x, before.y, before.width, before.height), 200u);

  const int x = before.x + before.width / 2, y = before.y + before.height / 2;
  run.drag(1, x, y, x + 150, y + 40);
  ASSERT_TRUE(run.wait([&](const auto& s) { return distance(s, before) > 0.5 && s.settled; }));
  const WindowState orbited = *run.state();
  EXPECT_EQ(orbited.mode, before.mode);
  EXPECT_TRUE(run.wait_for_change(first, 2));

  run.input("keydown w sleep 0.4 keyup w");
  ASSERT_TRUE(run.wait([&](const auto& s) { return distance(s, orbited) > 0.1 && s.settled; }));
  const WindowState flown = *run.state();
  double along = 0;
  for (size_t i = 0; i < 3; ++i) along += (flown.position[i] - orbited.position[i]) * orbited.forward[i];
  EXPECT_GT(along, 0.9 * distance(flown, orbited));

  run.input("key h");
  ASSERT_TRUE(run.wait([&](const auto& s) { return distance(s, before) < 1e-3 && s.settled; }));
  EXPECT_LT(test::mean_difference(first, run.picture()), 1);
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
}

TEST(GlWindow, PanelsOpenAndClose) {
  const SplatFile file(2000);
  WindowRun run({file.path().string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait(settled));
  EXPECT_EQ(run.state()->panels, "100");
  const splat::Image8 before = run.picture();
  run.input("key F1");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.keys; }));
  EXPECT_TRUE(run.wait_for_change(before, 1)) << "the key sheet did not appear";
  run.input("key Escape");
  ASSERT_TRUE(run.wait([](const auto& s) { return !s.keys; }));
  run.input("key F2");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.panels == "000" && s.x == 0; }));
  run.input("key ctrl+l");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.panels == "001"; }));
  run.input("key Tab");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.panels == "000"; }));
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
  std::ifstream saved(run.folder() / "config/hipsplat/window.json");
  const std::string text((std::istreambuf_iterator<char>(saved)), {});
  EXPECT_NE(text.find("\"left_open\": false"), std::string::npos) << text;
  EXPECT_NE(text.find("scene.ply"), std::string::npos) << text;
}

TEST(GlWindow, TrainsPausesAndAsksBeforeItCloses) {
  const splat::test::TempFolder folder;  // results go beside the dataset
  const fs::path dataset = folder.path() / "demo";
  fs::copy(kDemo, dataset, fs::copy_options::recursive);
  WindowRun run({dataset.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32; }));
  const splat::Image8 points = run.picture();
  run.input("key ctrl+t");
  ASSERT_TRUE(run.wait(
      [](const auto& s) { return s.training == kRunning && s.iteration >= 5 && s.drawn_by == "engine"; }, 120));
  EXPECT_TRUE(run.wait_for_change(points, 1));
  run.input("key space");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kPaused; }));
  const int paused_at = run.state()->iteration;
  run.input("sleep 0.5 key space");
  ASSERT_TRUE(run.wait([&](const auto& s) { return s.training == kRunning && s.iteration > paused_at; }));
  run.input("key ctrl+q sleep 1");
  EXPECT_EQ(run.state()->training, kRunning) << "closing must ask first";
  run.input("key Return");
  EXPECT_EQ(run.wait_for_end(120), 0);
}

TEST(GlWindow, TheRendererCanBeSwitched) {
  const SplatFile file;
  splat::test::TempFolder config;
  for (const auto& [choice, name] : {std::pair("1", "opengl"), std::pair("2", "engine")}) {
    config.write("hipsplat/window.json", std::string("{\"renderer\": ") + choice + ", \"show_grid\": false}");
    const fs::path png = config.path() / (std::string(name) + ".png"), trace = config.path() / "trace";
    test::VirtualDisplay display(800, 600);
    if (!display.running()) GTEST_SKIP() << "there is no Xvfb here";
    std::string said;
    ASSERT_EQ(
        test::run_program({HIPSPLAT_PROGRAM, file.path().string(), "--screenshot", png.string(), "--size", "900x600"},
                          {{"DISPLAY", display.name()},
                           {"XDG_CONFIG_HOME", config.path().string()},
                           {"HIPSPLAT_WINDOW_TRACE", trace.string()}},
                          &said),
        0)
        << said;
    std::ifstream file_of_trace(trace);
    const std::string text((std::istreambuf_iterator<char>(file_of_trace)), {});
    EXPECT_NE(text.find(std::string("drawn-by ") + name + " settled 1"), std::string::npos) << text;
    EXPECT_NE(text.find("opengl problems 0"), std::string::npos) << text;
  }
  const auto opengl = io::read_image(config.path() / "opengl.png"),
             engine = io::read_image(config.path() / "engine.png");
  ASSERT_TRUE(opengl.ok() && engine.ok());
  // The scene, right of the left panel and away from the text: the two renderers show the same.
  size_t off = 0, count = 0;
  for (int y = 60; y < 520; ++y)
    for (int x = 300; x < 880; ++x, ++count) {
      const size_t p = 3 * (size_t(y) * 900 + size_t(x));
      for (size_t c = 0; c < 3; ++c) off += std::abs(int(opengl->pixels[p + c]) - int(engine->pixels[p + c])) > 3;
    }
  EXPECT_LT(double(off), 0.01 * 3 * double(count));
}

TEST(GlWindow, WithoutADisplayItSaysSoAndHeadlessCommandsWork) {
  std::string said;
  EXPECT_EQ(test::run_program({HIPSPLAT_PROGRAM}, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}}, &said), 3);
  EXPECT_NE(said.find("there is no display"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_EQ(test::run_program({HIPSPLAT_PROGRAM}, {{"DISPLAY", ":4711"}, {"WAYLAND_DISPLAY", ""}}, &said), 3);
  EXPECT_NE(said.find("cannot be opened"), std::string::npos) << said;
  EXPECT_EQ(test::run_program({HIPSPLAT_PROGRAM, "--info", kDemo.string(), "--quiet"},
                              {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}}),
            0);
}

// Opens it, takes the picture that --screenshot writes, and looks for a scene in its middle.
void expect_picture_of(const fs::path& path, size_t least_colours) {
  if (!fs::exists(path)) GTEST_SKIP() << path << " is not here";
  test::VirtualDisplay display(800, 600);
  if (!display.running()) GTEST_SKIP() << "there is no Xvfb here";
  const splat::test::TempFolder folder;
  const fs::path png = folder.path() / "window.png";
  std::string said;
  const int code =
      test::run_program({HIPSPLAT_PROGRAM, path.string(), "--screenshot", png.string(), "--size", "1024x640"},
                        {{"DISPLAY", display.name()}, {"XDG_CONFIG_HOME", folder.path().string()}}, &said);
  ASSERT_EQ(code, 0) << said;
  const auto image = io::read_image(png);
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_EQ(image->width, 1024);
  EXPECT_EQ(image->height, 640);
  EXPECT_GE(test::distinct_colours(*image, 350, 100, 250, 440), least_colours) << path;
}

class GlWindowFile : public testing::TestWithParam<const char*> {};

TEST_P(GlWindowFile, Opens) { expect_picture_of(kData / "splats" / GetParam(), 60); }
INSTANTIATE_TEST_SUITE_P(Real, GlWindowFile,
                         testing::Values("biker.compressed.ply", "biker.spz", "playbot_31k_sh2.ply",
                                         "playbot_31k_sh2.compressed.ply", "playbot_31k_sh2.sog", "playbot_31k_sh2.spz",
                                         "playbot_31k_sh2_c1.ksplat"));

class GlWindowDataset : public testing::TestWithParam<const char*> {};

TEST_P(GlWindowDataset, Opens) { expect_picture_of(kData / "scenes" / GetParam(), 40); }
INSTANTIATE_TEST_SUITE_P(Real, GlWindowDataset,
                         testing::Values("banana", "banana_distorted", "banana_text", "plush", "plush_opencv"));

TEST(GlWindow, OpensTheDemo) { expect_picture_of(kDemo, 40); }

TEST(GlWindow, ShowsWhatThereIsToOpen) {
  test::VirtualDisplay display(800, 600);
  if (!display.running()) GTEST_SKIP() << "there is no Xvfb here";
  const splat::test::TempFolder folder;
  const fs::path png = folder.path() / "welcome.png";
  ASSERT_EQ(test::run_program({HIPSPLAT_PROGRAM, "--screenshot", png.string(), "--size", "1024x640"},
                              {{"DISPLAY", display.name()}, {"XDG_CONFIG_HOME", folder.path().string()}}),
            0);
  const auto image = io::read_image(png);
  ASSERT_TRUE(image.ok());
  EXPECT_GE(test::distinct_colours(*image, 200, 60, 600, 400), 10u);  // text and buttons on a plain ground
}

}  // namespace
