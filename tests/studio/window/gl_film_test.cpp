// A camera path in the built program: keys by keyboard and mouse, played, saved, remembered, made a film of.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "io/io.h"
#include "io/paths/path_file.h"
#include "splat/bench/bench_scene.h"
#include "tests/app/jobs/film/decoded.h"
#include "tests/studio/window/window_run.h"
#include "tests/viewer/dialogs/fake_portal.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;
using test::WindowState;

double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

class PathInTheWindow : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(io::write_splat_file(file_, splat::bench::make_scene({2000, 400, 300}).model).ok());
  }
  WindowRun::Environment desktop() const {
    return {{"HIPSPLAT_OWN_FILE_DIALOG", ""},
            {"DBUS_SESSION_BUS_ADDRESS", bus_.address()},
            {"XDG_CONFIG_HOME", config_.path().string()}};
  }
  // One where the scene is opened, two more after flights.
  static void add_three_keys(WindowRun& run) {
    ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
    run.input("key t");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.timeline; }));
    run.input("key i");
    for (const std::string key : {"d", "e"}) {
      const size_t keys = run.state()->path_keys;
      run.input("sleep 0.3 keydown " + key + " sleep 0.4 keyup " + key + " sleep 0.3 key i");
      ASSERT_TRUE(run.wait([&](const auto& s) { return s.path_keys == keys + 1; })) << key;
    }
    ASSERT_TRUE(run.wait([](const auto& s) { return s.path_keys == 3 && s.path_seconds == 4 && s.path_chosen == 2; }));
  }

  const splat::test::TempFolder folder_, config_;
  const fs::path file_ = folder_.path() / "scene.ply";
  const test::PrivateBus bus_;
};

TEST_F(PathInTheWindow, GetsKeysByTheKeyboardPlaysAndIsRemembered) {
  WindowState last;
  {
    WindowRun run({file_.string()}, desktop(), test::settings_with_layout(300));
    SKIP_WITHOUT_DISPLAY(run);
    add_three_keys(run);
    run.input("key ctrl+z");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.path_keys == 2 && s.path_seconds == 2; }));
    run.input("key ctrl+shift+z");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.path_keys == 3; }));
    run.input("key ctrl+bracketleft");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.path_chosen == 1 && s.path_time == 2; }));
    EXPECT_LT(distance(run.state()->position, run.state()->path_at), 1e-3) << "the view is there";
    run.input("key ctrl+bracketright");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.path_chosen == 2; }));
    run.input("key space");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.playing; })) << "from the start, since it stood at the end";
    ASSERT_TRUE(run.wait([](const auto& s) { return !s.playing && s.path_time == 4; }));
    EXPECT_LT(distance(run.state()->position, run.state()->path_at), 1e-3);
    run.input("key space sleep 0.5 keydown s sleep 0.9 keyup s");
    ASSERT_TRUE(run.wait([](const auto& s) { return !s.playing && s.path_time > 0 && s.path_time < 4; }))
        << "who moves the view stops it";
    run.input("key ctrl+bracketleft");
    run.finish_frame();
    last = *run.state();
    run.input("key ctrl+q");
    EXPECT_EQ(run.wait_for_end(), 0);
  }
  WindowRun again({file_.string()}, desktop());
  ASSERT_TRUE(again.wait([](const auto& s) { return s.settled && s.path_keys == 3; }));
  again.input("key t key ctrl+bracketright");
  ASSERT_TRUE(again.wait([](const auto& s) { return s.timeline && s.path_chosen >= 0; }));
  EXPECT_EQ(again.state()->path_seconds, last.path_seconds);
}

TEST_F(PathInTheWindow, KeysAreMovedInTimeAndInTheScene) {
  WindowRun run({file_.string()}, desktop(), test::settings_with_layout(300));
  SKIP_WITHOUT_DISPLAY(run);
  add_three_keys(run);
  run.finish_frame();
  const auto second = run.place_of("key 2"), third = run.place_of("key 3");
  ASSERT_TRUE(second && third);
  const auto to = [](int x, int y) { return "mousemove " + std::to_string(x) + " " + std::to_string(y); };
  const int by = ((*third)[0] - (*second)[0]) / 4;
  run.input(to((*third)[0], (*third)[1]) + " sleep 0.4 mousedown 1 sleep 0.6 " + to((*third)[0] + by, (*third)[1]) +
            " sleep 0.4 " + to((*third)[0] + 2 * by, (*third)[1]) + " sleep 0.6 mouseup 1");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.path_seconds > 4.5 && s.path_chosen == 2; }));
  run.finish_frame();  // in which the button is let go
  EXPECT_LT(run.state()->path_seconds, 5.5);
  EXPECT_NEAR(std::remainder(run.state()->path_seconds, 1. / 30), 0, 1e-9) << "at a picture of the film";
  run.input("key ctrl+z");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.path_seconds == 4; })) << "the drag is one step";
  // From behind, all keys are in view.
  run.input("sleep 0.3 keydown s sleep 0.9 keyup s");
  run.finish_frame();
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  const auto at = run.place_of("path_key");
  ASSERT_TRUE(at);
  const std::array<double, 3> before = run.state()->path_at;
  run.drag(1, (*at)[0], (*at)[1], (*at)[0] + 40, (*at)[1] - 25);
  ASSERT_TRUE(run.wait([&](const auto& s) { return distance(s.path_at, before) > 0.01; }));
  run.input("key ctrl+z");
  ASSERT_TRUE(run.wait([&](const auto& s) { return distance(s.path_at, before) < 1e-9; }));
  run.input("key Delete");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.path_keys == 2; }));
}

TEST_F(PathInTheWindow, IsPlayedByTheSharedPage) {
  if (!bus_.running()) GTEST_SKIP() << "there is no dbus-daemon here";
  const fs::path name = folder_.path() / "page";  // without an ending: what it is adds one
  test::FakePortal portal(bus_.address(), {.uris = {"file://" + name.string()}});
  WindowRun run({file_.string()}, desktop(), test::settings_with_layout(300));
  SKIP_WITHOUT_DISPLAY(run);
  add_three_keys(run);
  run.input("key ctrl+shift+p sleep 1 type --delay 60 'web page'");
  run.input("sleep 0.5 key Return");
  run.click("Save as...");
  const fs::path page = name.string() + ".html";
  for (int i = 0; i < 1000 && !fs::exists(page); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::ifstream file(page);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_NE(text.find("\"path\":{\"fps\":30.0,\"mode\":\"once\",\"poses\":[["), std::string::npos)
      << text.substr(text.find("\"path\""), 100);
  EXPECT_TRUE(run.wait([&](const auto&) { return bool(run.place_of("Open page###said_page")); }));
}

TEST_F(PathInTheWindow, BecomesAFileAndAFilm) {
  if (!bus_.running()) GTEST_SKIP() << "there is no dbus-daemon here";
  if (!app::test::has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  const fs::path name = folder_.path() / "film";  // without an ending: what it is adds one
  test::FakePortal portal(bus_.address(), {.uris = {"file://" + name.string()}});
  WindowRun run({file_.string()}, desktop(), test::settings_with_layout(400), {1400, 1000});
  SKIP_WITHOUT_DISPLAY(run);
  add_three_keys(run);
  run.click("Save...###path_save");
  const fs::path saved = name.string() + ".json";
  for (int i = 0; i < 500 && !fs::exists(saved); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto path = io::read_path_file(saved);
  ASSERT_TRUE(path.ok()) << path.error().message;
  ASSERT_EQ(path->path.keys.size(), 3u);
  EXPECT_LT(distance(path->path.keys[2].pose.position, run.state()->path_at), 1e-6);
  run.click("Film...###path_film");
  run.click("1280x720");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.previewed; }));
  run.click("Make it...");
  ASSERT_TRUE(run.wait([](const auto& s) { return !s.film.empty(); }, 300));
  EXPECT_EQ(run.state()->film, name.string() + ".mp4");
  EXPECT_EQ(run.state()->errors, 0);
  const fs::path pictures = folder_.path() / "again.mp4";
  ASSERT_EQ(test::run_program({HIPSPLAT_PROGRAM, "render", file_.string(), "--path", name.string() + ".path.json",
                               "--size", "1280x720", "-o", pictures.string(), "--quiet"},
                              {}),
            0);
  const auto bytes = [](const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  EXPECT_GT(fs::file_size(pictures), 10000u);
  EXPECT_TRUE(bytes(run.state()->film) == bytes(pictures)) << "the film of the command line";
}

}  // namespace
