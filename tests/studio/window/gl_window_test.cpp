// The window as a user has it: the built program on a virtual display, with real mouse and keyboard events.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <thread>

#include "io/dataset/load_dataset.h"
#include "io/image_file.h"
#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "splat/edit/rows.h"
#include "tests/studio/window/window_run.h"
#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;
using test::WindowState;

constexpr int kRunning = 2, kPaused = 3;  // studio::RunStatus
const fs::path kDemo = test_paths::source() / "assets/demo";
const fs::path kData = test_paths::data();

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
  run.finish_frame();  // all of the drag, not a part that already moved the camera far enough
  ASSERT_TRUE(run.wait([&](const auto& s) { return distance(s, before) > 0.5 && s.settled; }));
  const WindowState orbited = *run.state();
  EXPECT_EQ(orbited.mode, before.mode);
  EXPECT_TRUE(run.wait_for_change(first, 2));

  run.input("keydown w sleep 0.4 keyup w");
  run.finish_frame();
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

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

fs::path only_file(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  EXPECT_EQ(files.size(), 1u) << folder;
  return files.empty() ? fs::path() : files.front();
}

TEST(GlWindow, TrainsPausesAsksBeforeItClosesAndSavesWhatCanBeResumed) {
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

  std::this_thread::sleep_for(std::chrono::seconds(1));
  const size_t traced = run.trace_text().size();
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const std::string frames = run.trace_text().substr(traced);
  EXPECT_GE(count_of(frames, "\nframe "), 1u);
  EXPECT_LE(count_of(frames, "\nframe "), 20u) << "drawn by the processors that train: not at every news";
  run.input("key space");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kPaused; }));
  const int paused_at = run.state()->iteration;
  run.input("sleep 0.5 key space");
  ASSERT_TRUE(run.wait([&](const auto& s) { return s.training == kRunning && s.iteration > paused_at; }));
  run.input("key ctrl+q sleep 1");
  EXPECT_EQ(run.state()->training, kRunning) << "closing must ask first";
  run.input("key Return");
  EXPECT_EQ(run.wait_for_end(120), 0);

  // The command line goes on from what was saved.
  const fs::path checkpoints = folder.path() / "demo_splats/checkpoints";
  EXPECT_TRUE(fs::remove(checkpoints / ("iteration_" + std::to_string(paused_at) + ".checkpoint"))) << "of the pause";
  const fs::path checkpoint = only_file(checkpoints);
  int saved_at = 0;
  ASSERT_EQ(std::sscanf(checkpoint.filename().c_str(), "iteration_%d.checkpoint", &saved_at), 1) << checkpoint;
  EXPECT_GT(saved_at, paused_at);
  const std::string end = std::to_string(saved_at + 3);
  const fs::path out = folder.path() / "resumed";
  std::string said;
  EXPECT_EQ(test::run_program({HIPSPLAT_PROGRAM, "--train", dataset.string(), "-o", out.string(), "--resume",
                               checkpoint.string(), "-i", end, "--quiet"},
                              {}, &said),
            0)
      << said;
  EXPECT_TRUE(fs::exists(out / "point_cloud" / ("iteration_" + end) / "point_cloud.ply"));
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
    const std::string drawn_by = std::string("\"drawn_by\":\"") + name + '"';
    std::istringstream lines(text);
    bool drawn = false;
    for (std::string line; std::getline(lines, line);)
      drawn = drawn || (line.find(drawn_by) != std::string::npos && line.find("\"shown\":true") != std::string::npos &&
                        line.find("\"settled\":true") != std::string::npos);
    EXPECT_TRUE(drawn) << text;
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

// Each line of ours up to its first bracket; drivers say things of their own.
std::vector<std::string> own_errors(const std::string& said) {
  std::vector<std::string> errors;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("error: ")) errors.push_back(line.substr(0, line.find(" (")));
  return errors;
}

// A display whose OpenGL is too old, and one that has none.
TEST(GlWindow, WithoutOpenGl33ItSaysSoAndHeadlessCommandsWork) {
  const test::VirtualDisplay display(320, 200);
  if (!display.running()) GTEST_SKIP() << "there is no Xvfb here";
  const splat::test::TempFolder folder;
  const std::pair<std::string, std::string> lacks[] = {{"MESA_GL_VERSION_OVERRIDE", "2.1"}, {"GALLIUM_DRIVER", "none"}};
  for (const auto& lack : lacks) {
    const std::vector<std::pair<std::string, std::string>> environment{{"DISPLAY", display.name()}, lack};
    std::string said;
    EXPECT_EQ(test::run_program({HIPSPLAT_PROGRAM, kDemo.string()}, environment, &said), 3) << lack.first;
    EXPECT_EQ(own_errors(said), std::vector<std::string>{"error: the window cannot be opened: it needs OpenGL 3.3"})
        << said;
    EXPECT_EQ(test::run_program({HIPSPLAT_PROGRAM, "--info", kDemo.string(), "--quiet"}, environment), 0) << lack.first;
    EXPECT_EQ(test::run_program({HIPSPLAT_PROGRAM, "--train", kDemo.string(), "-o", (folder.path() / "x.ply").string(),
                                 "-i", "1", "-r", "8", "--quiet"},
                                environment),
              0)
        << lack.first;
  }
}

// ---- every kind of file and dataset

constexpr int kPictureWidth = 1024, kPictureHeight = 640;
// Of those pictures, away from panels and text; black where nothing is drawn.
constexpr int kLeft = 280, kTop = 40, kRight = 1010, kBottom = 600;

// What --screenshot writes of it, without the ground grid.
std::optional<splat::Image8> picture_of(const fs::path& path) {
  SCOPED_TRACE(path);
  const test::VirtualDisplay display(800, 600);
  const splat::test::TempFolder folder;
  folder.write("hipsplat/window.json", "{\"show_grid\": false}");
  const fs::path png = folder.path() / "window.png";
  std::string said;
  EXPECT_EQ(test::run_program({HIPSPLAT_PROGRAM, path.string(), "--screenshot", png.string(), "--size",
                               std::to_string(kPictureWidth) + "x" + std::to_string(kPictureHeight)},
                              {{"DISPLAY", display.name()}, {"XDG_CONFIG_HOME", folder.path().string()}}, &said),
            0)
      << said;
  auto image = io::read_image(png);
  EXPECT_TRUE(image.ok());
  if (!image.ok()) return std::nullopt;
  EXPECT_EQ(image->width, kPictureWidth);
  EXPECT_EQ(image->height, kPictureHeight);
  return std::move(*image);
}

size_t lit_pixels(const splat::Image8& image) {
  size_t count = 0;
  for (int y = kTop; y < kBottom; ++y)
    for (int x = kLeft; x < kRight; ++x) {
      const uint8_t* p = &image.pixels[3 * (size_t(y) * size_t(image.width) + size_t(x))];
      count += p[0] + p[1] + p[2] > 30;
    }
  return count;
}

double scene_difference(const splat::Image8& a, const splat::Image8& b) {  // mean, levels
  double sum = 0;
  for (int y = kTop; y < kBottom; ++y)
    for (int x = kLeft; x < kRight; ++x)
      for (size_t c = 0; c < 3; ++c) {
        const size_t at = 3 * (size_t(y) * size_t(a.width) + size_t(x)) + c;
        sum += std::abs(int(a.pixels[at]) - int(b.pixels[at]));
      }
  return sum / (3.0 * (kRight - kLeft) * (kBottom - kTop));
}

bool has_display() { return test::VirtualDisplay(64, 64).running(); }

// All show what the first shows, but for a share of it (formats lose a little), and that is not nothing.
void expect_same_scene(const std::vector<fs::path>& paths, double share) {
  const auto first = picture_of(paths.front());
  ASSERT_TRUE(first);
  const double blank =
      scene_difference(*first, {kPictureWidth, kPictureHeight, 3, std::vector<uint8_t>(first->pixels.size(), 0)});
  EXPECT_GT(lit_pixels(*first), 10u) << paths.front();
  for (size_t i = 1; i < paths.size(); ++i) {
    const auto other = picture_of(paths[i]);
    ASSERT_TRUE(other);
    EXPECT_LT(scene_difference(*first, *other), share * blank) << paths[i];
  }
}

TEST(GlWindow, EveryFormatWrittenOpensAndShowsTheSameScene) {
  if (!has_display()) GTEST_SKIP() << "there is no Xvfb here";
  splat::Gaussians model = splat::bench::make_scene({5000, 400, 300}).model;
  splat::edit::reduce_sh_degree(model, 0);  // .splat keeps no more
  const splat::test::TempFolder folder;
  std::vector<fs::path> paths;
  for (const char* name : {"a.ply", "a.compressed.ply", "a.splat", "a.spz", "a.sog", "a.glb"}) {
    paths.push_back(folder.path() / name);
    ASSERT_TRUE(io::write_splat_file(paths.back(), model).ok()) << name;
  }
  expect_same_scene(paths, 0.1);
}

TEST(GlWindow, RealFilesOfOneSceneShowTheSame) {
  if (!fs::exists(kData)) GTEST_SKIP() << kData << " is not here";
  if (!has_display()) GTEST_SKIP() << "there is no Xvfb here";
  const fs::path splats = kData / "splats";
  expect_same_scene(
      {splats / "playbot_31k_sh2.ply", splats / "playbot_31k_sh2.compressed.ply", splats / "playbot_31k_sh2.sog",
       splats / "playbot_lod3_sog", splats / "playbot_31k_sh2.spz", splats / "playbot_31k_sh2_c1.ksplat"},
      3);
  expect_same_scene({splats / "biker.compressed.ply", splats / "biker.spz"}, 0.1);
  expect_same_scene({splats / "test-splat.3-points-from-train.ply", splats / "test-splat.3-points-from-train.spz",
                     splats / "test-splat.3-points-from-train.splat"},
                    0.1);
}

TEST(GlWindow, RealFilesOfFourSplatsOpen) {
  if (!fs::exists(kData)) GTEST_SKIP() << kData << " is not here";
  if (!has_display()) GTEST_SKIP() << "there is no Xvfb here";
  for (const char* name : {"minimal.splat", "minimal-v2.spz", "minimal-v3.spz", "minimal-v4.spz"}) {
    const auto picture = picture_of(kData / "splats" / name);
    ASSERT_TRUE(picture);
    EXPECT_GT(lit_pixels(*picture), 20u) << name;
  }
}

TEST(GlWindow, WhatCannotBeOpenedPopsUpAndTheWindowGoesOn) {
  const splat::test::TempFolder folder;
  const fs::path broken = folder.write("broken.ply", "ply\nformat ascii 1.0\nnonsense\n");
  WindowRun run({broken.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.errors == 1 && s.splats == 0; }));
  run.click("OK");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.errors == 0; }));
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
}

// Points and the photos' cameras.
void expect_dataset(const fs::path& path) {
  const auto picture = picture_of(path);
  ASSERT_TRUE(picture);
  EXPECT_GT(lit_pixels(*picture), 500u) << path;
  EXPECT_GE(test::distinct_colours(*picture, kLeft, kTop, kRight - kLeft, kBottom - kTop), 20u) << path;
}

class GlWindowDataset : public testing::TestWithParam<const char*> {};

TEST_P(GlWindowDataset, Opens) {
  const fs::path path = kData / "scenes" / GetParam();
  if (!fs::exists(path)) GTEST_SKIP() << path << " is not here";
  if (!has_display()) GTEST_SKIP() << "there is no Xvfb here";
  expect_dataset(path);
}
INSTANTIATE_TEST_SUITE_P(Real, GlWindowDataset,
                         testing::Values("banana", "banana_distorted", "banana_text", "plush", "plush_opencv"));

TEST(GlWindow, OpensTheDemo) {
  if (!has_display()) GTEST_SKIP() << "there is no Xvfb here";
  expect_dataset(kDemo);
}

// The demo's cameras and points as nerfstudio writes them.
TEST(GlWindow, OpensATransformsFile) {
  if (!has_display()) GTEST_SKIP() << "there is no Xvfb here";
  const auto dataset = io::load_dataset(kDemo, {});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  const splat::test::TempFolder folder;
  std::string frames;
  for (const splat::DatasetView& view : dataset->views) {
    const auto& r = view.cam_from_world.rotation;
    const auto centre = view.cam_from_world.origin_in_source();
    std::ostringstream rows;
    rows.precision(17);
    for (size_t i = 0; i < 3; ++i)  // world_from_camera, y up and z backward
      rows << "[" << r[i] << "," << -r[3 + i] << "," << -r[6 + i] << "," << centre[i] << "],";
    const splat::PinholeCamera& c = view.camera;
    std::ostringstream frame;
    frame << (frames.empty() ? "" : ",\n") << "{\"file_path\": \"" << view.image_path.string()
          << "\", \"w\": " << c.width << ", \"h\": " << c.height << ", \"fl_x\": " << c.fx << ", \"fl_y\": " << c.fy
          << ", \"cx\": " << c.cx << ", \"cy\": " << c.cy << ", \"transform_matrix\": [" << rows.str() << "[0,0,0,1]]}";
    frames += frame.str();
  }
  const fs::path file = folder.write("transforms.json", "{\"frames\": [\n" + frames + "]}\n");
  const auto picture = picture_of(file);
  ASSERT_TRUE(picture);
  EXPECT_GT(lit_pixels(*picture), 500u) << "the photos' cameras";
}

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
