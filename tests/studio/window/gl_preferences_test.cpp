// Preferences in the built program: what is chosen is seen, kept, and holds at the next start.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/studio/window/window_run.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

class GlPreferences : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(io::write_splat_file(path_, splat::bench::make_scene({2000, 400, 300}).model).ok());
  }
  static std::string settings_of(const WindowRun& run) {
    std::ifstream file(run.folder() / "config/hipsplat/window.json");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  splat::test::TempFolder folder_;
  const fs::path path_ = folder_.path() / "scene.ply";
};

// The larger everything is, the more of the window the same panels take; each button is where it is drawn, and inside.
TEST_F(GlPreferences, AtFractionalScalesWhatIsSeenIsWhatIsHit) {
  int wider = 0;
  for (const char* scale : {"1", "1.25", "1.5", "1.75"}) {
    WindowRun run({path_.string()}, {}, R"({"right_open": false, "interface_scale": )" + std::string(scale) + "}");
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
    run.finish_frame();
    const auto before = *run.state();
    EXPECT_EQ(before.x + before.width, WindowRun::kWidth) << scale;
    EXPECT_GT(before.y, wider) << "the menu bar grows";
    wider = before.y;
    std::istringstream lines(run.trace_text());
    std::map<std::string, std::array<int, 2>> places;  // the last one of each button
    for (std::string line; std::getline(lines, line);) {
      const size_t at = line.rfind(" at ");
      std::array<int, 2> place{};
      if (line.starts_with("button ") && std::sscanf(line.c_str() + at, " at %d %d", &place[0], &place[1]) == 2)
        places[line.substr(0, at)] = place;
    }
    EXPECT_GT(places.size(), 5u);
    for (const auto& [button, place] : places)
      EXPECT_TRUE(place[0] > 0 && place[0] < WindowRun::kWidth && place[1] > 0) << scale << ": " << button;
    run.click("Fly");
    EXPECT_TRUE(run.wait([](const auto& s) { return s.mode == "fly"; }, 10)) << scale;
    const auto save = run.place_of("Save splats as..."), make = run.place_of("Make a mesh...");
    ASSERT_TRUE(save && make);
    const bool beside = (*save)[1] == (*make)[1];
    EXPECT_EQ(beside, scale == std::string("1")) << scale << ": a label that does not fit has a line to itself";
  }
}

TEST_F(GlPreferences, TheLastSceneIsReopenedWhereThatIsPreferred) {
  std::string settings;
  {
    WindowRun run({path_.string()});
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
    run.input("key ctrl+comma sleep 0.5");
    run.click("Reopen the last scene");
    run.input("sleep 1 key Escape sleep 0.5 key ctrl+q");
    ASSERT_EQ(run.wait_for_end(), 0);
    settings = settings_of(run);
    EXPECT_NE(settings.find("\"reopen_last\": true"), std::string::npos) << settings;
  }
  {
    WindowRun again({}, {}, settings);
    EXPECT_TRUE(again.wait([](const auto& s) { return s.splats == 2000; }));
  }
  fs::remove(path_);
  WindowRun gone({}, {}, settings);
  ASSERT_TRUE(gone.wait([](const auto& s) { return s.width > 0; }));
  EXPECT_EQ(gone.state()->errors, 0) << "it is no longer there: the welcome page";
}

// Of a corner of the scene that no splat reaches, away from what lies over it.
std::array<int, 3> backdrop_at(const splat::Image8& picture, const test::WindowState& s, double down) {
  const size_t at = 3 * (size_t(s.y + int(down * s.height)) * size_t(picture.width) + size_t(s.x + 12));
  return {picture.pixels[at], picture.pixels[at + 1], picture.pixels[at + 2]};
}

TEST_F(GlPreferences, ABackdropIsBehindTheSplatsWhoeverDrawsThem) {
  for (const char* renderer : {"1", "2"}) {  // OpenGL, the engine
    for (const int backdrop : {0, 1, 2}) {
      WindowRun run({path_.string()}, {},
                    std::string(R"({"show_grid": false, "show_cameras": false, "renderer": )") + renderer +
                        ", \"backdrop\": " + std::to_string(backdrop) + "}");
      SKIP_WITHOUT_DISPLAY(run);
      ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
      run.input("key Home");  // the whole of it, with room around
      run.input("sleep 1");
      ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
      run.finish_frame();
      const splat::Image8 picture = run.picture();
      const auto above = backdrop_at(picture, *run.state(), 0.03), below = backdrop_at(picture, *run.state(), 0.97);
      if (backdrop <= 1) {  // nothing says what these splats were trained with
        EXPECT_NEAR(above[0], 41, 2) << renderer;
        EXPECT_EQ(above, below) << renderer;
      }
      if (backdrop == 2) {
        EXPECT_NEAR(above[0], 82, 6) << renderer;
        EXPECT_NEAR(below[0], 27, 6) << renderer;
      }
    }
  }
}

TEST_F(GlPreferences, RecentScenesHavePicturesOnTheWelcomePage) {
  WindowRun run({}, {}, "{\"recent\": [\"" + path_.string() + "\", \"/gone/elsewhere.ply\"]}");
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.width > 0; }));
  std::error_code code;
  const fs::path kept = run.folder() / "cache/hipsplat/scenes";
  for (int i = 0; i < 500 && !fs::exists(kept, code); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(fs::exists(kept));
  // Without finish_frame(): the list of keys that it opens could still be on the screen, with colours of its own.
  for (int i = 0; i < 500 && !run.place_of("recent elsewhere.ply"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto tile = run.place_of("recent scene.ply"), empty = run.place_of("recent elsewhere.ply");
  ASSERT_TRUE(tile);
  ASSERT_TRUE(empty);
  const auto colours_at = [&](const std::array<int, 2>& place) {
    return test::distinct_colours(run.picture(), place[0] - 40, place[1] - 50, 80, 60);
  };
  const auto shown = [&] { return colours_at(*tile) > 20 && colours_at(*empty) < 10; };
  for (int i = 0; i < 100 && !shown(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_GT(colours_at(*tile), 20u);
  EXPECT_LT(colours_at(*empty), 10u);
  run.click("recent scene.ply");
  EXPECT_TRUE(run.wait([](const auto& s) { return s.splats == 2000; }));
}

}  // namespace
