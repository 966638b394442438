// What the window does with one scene, with real mouse and keyboard events: where it opens, what it remembers, what it
// saves through the desktop's dialogs.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "io/image_file.h"
#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/studio/window/window_run.h"
#include "tests/viewer/dialogs/fake_portal.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;
using test::WindowState;

bool settled(const WindowState& s) { return s.settled; }

double distance(const WindowState& a, const std::array<double, 3>& place) {
  return std::hypot(a.position[0] - place[0], a.position[1] - place[1], a.position[2] - place[2]);
}

// A splat file with two cameras beside it, as training leaves them.
class Scene : public testing::Test {
 protected:
  static constexpr std::array<double, 3> kFirst{0.5, -0.25, -6}, kSecond{-1, 0, -5};

  void SetUp() override {
    ASSERT_TRUE(io::write_splat_file(file_, splat::bench::make_scene({2000, 400, 300}).model).ok());
  }
  void write_cameras() const {
    nlohmann::json cameras = nlohmann::json::array();
    for (const auto& [name, place] : {std::pair("a.jpg", kFirst), std::pair("b.jpg", kSecond)})
      cameras.push_back({{"id", cameras.size()},
                         {"img_name", name},
                         {"width", 400},
                         {"height", 300},
                         {"position", place},
                         {"rotation", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                         {"fx", 350},
                         {"fy", 350}});
    folder_.write("cameras.json", cameras.dump());
  }
  std::string text_of(const fs::path& path) const {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  const splat::test::TempFolder folder_;
  const fs::path file_ = folder_.path() / "scene.ply";
};

TEST_F(Scene, OpensAtItsFirstPhotoAndStepsThroughThem) {
  write_cameras();
  WindowRun run({file_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled && s.photos == 2 && s.at_photo == 0; }));
  EXPECT_LT(distance(*run.state(), kFirst), 1e-3);
  EXPECT_NEAR(run.state()->forward[2], 1, 1e-6);
  EXPECT_NEAR(run.state()->up[1], -1, 1e-3) << "the cameras' mean";
  run.input("key bracketright");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.at_photo == 1; }));
  EXPECT_LT(distance(*run.state(), kSecond), 1e-3);
  run.input("keydown w sleep 0.3 keyup w");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.at_photo == -1; }));
  run.input("key h");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.at_photo == 0; }));
  EXPECT_LT(distance(*run.state(), kFirst), 1e-3);
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
}

TEST_F(Scene, ButtonsOverItChangeTheView) {
  WindowRun run({file_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait(settled));
  const std::string before = run.state()->mode;
  run.click("Fly");
  ASSERT_TRUE(run.wait([&](const auto& s) { return s.mode != before; }));
  run.click("Orbit");
  ASSERT_TRUE(run.wait([&](const auto& s) { return s.mode == before; }));
  run.input("keydown w sleep 0.3 keyup w");
  run.finish_frame();
  const WindowState near = *run.state();
  run.click("Frame##overlay");
  ASSERT_TRUE(run.wait([&](const auto& s) { return distance(s, near.position) > 0.1 && s.settled; }));
}

TEST_F(Scene, AClickOnAnAxisLooksAlongIt) {
  WindowRun run({file_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait(settled));
  run.input("keydown w sleep 0.2 keyup w");
  run.finish_frame();
  const auto largest = [](const WindowState& s) {
    return std::max({std::abs(s.forward[0]), std::abs(s.forward[1]), std::abs(s.forward[2])});
  };
  ASSERT_LT(largest(*run.state()), 0.999) << "it opens from a little above";
  run.click("Axes");  // in the middle, where the axis that points at the camera is
  ASSERT_TRUE(run.wait([&](const auto& s) { return largest(s) > 1 - 1e-6; }));
}

TEST_F(Scene, BookmarksAndTheUpAxisAreThereTheNextTime) {
  const splat::test::TempFolder config;
  const WindowRun::Environment remembering{{"XDG_CONFIG_HOME", config.path().string()}};
  const fs::path scenes = config.path() / "hipsplat/scenes.json";
  std::array<double, 3> kept{};
  {
    WindowRun run({file_.string()}, remembering);
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait(settled));
    const WindowState before = *run.state();
    run.input("keydown w sleep 0.4 keyup w");
    run.finish_frame();
    ASSERT_TRUE(run.wait([&](const auto& s) { return distance(s, before.position) > 0.1 && s.settled; }));
    run.input("key ctrl+3");
    run.finish_frame();
    kept = run.state()->position;
    run.input("key ctrl+q");
    EXPECT_EQ(run.wait_for_end(), 0);
  }
  const std::string text = text_of(scenes);
  ASSERT_NE(text.find("scene.ply"), std::string::npos) << text;
  auto edited = nlohmann::json::parse(text);
  EXPECT_FALSE(edited["scenes"][0].contains("up")) << "nothing but what the user chose is kept";
  edited["scenes"][0]["up"] = {1, 0, 0};
  config.write("hipsplat/scenes.json", edited.dump());

  WindowRun run({file_.string()}, remembering);
  ASSERT_TRUE(run.wait(settled));
  EXPECT_NEAR(run.state()->up[0], 1, 1e-6);
  EXPECT_GT(distance(*run.state(), kept), 0.1);
  run.input("key 3");
  ASSERT_TRUE(run.wait([&](const auto& s) { return distance(s, kept) < 1e-3; }));
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
}

TEST_F(Scene, AListOfBookmarksShowsThemGoesThereSetsAndDeletesThem) {
  WindowRun run({file_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait(settled));
  const auto moves_from = [&](const std::array<double, 3>& place, const std::string& input) {
    run.input(input);
    return run.wait([&](const auto& s) { return distance(s, place) > 0.1 && s.settled; });
  };
  const auto comes_to = [&](const std::array<double, 3>& place) {
    return run.wait([&](const auto& s) { return distance(s, place) < 1e-3 && s.settled; });
  };
  const auto click_in_list = [&](const std::string& name) {
    const size_t before = run.trace_text().size();
    run.click("##bookmarks");
    EXPECT_TRUE(run.wait([&](const auto&) {
      return run.trace_text().find("\nbutton " + name + " at ", before) != std::string::npos;
    })) << name;
    run.click(name);
  };
  const auto first = run.state()->position;
  click_in_list("Store this view");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.bookmark_pictures == 1; }));
  run.input("key Escape");
  run.finish_frame();
  ASSERT_TRUE(moves_from(first, "keydown w sleep 0.4 keyup w"));
  click_in_list("View 1");
  ASSERT_TRUE(comes_to(first));
  ASSERT_TRUE(moves_from(first, "keydown d sleep 0.4 keyup d"));
  const auto second = run.state()->position;
  click_in_list("Set");
  run.input("key Escape");
  run.finish_frame();
  ASSERT_TRUE(moves_from(second, "key f"));
  run.input("key 1");
  ASSERT_TRUE(comes_to(second));
  click_in_list("Delete");
  run.input("key Escape");
  run.finish_frame();
  ASSERT_TRUE(moves_from(second, "key f"));
  run.input("key 1");
  run.finish_frame();
  EXPECT_GT(distance(*run.state(), second), 0.1) << "it is no bookmark any more";
}

TEST_F(Scene, TheUpAxisIsChosenInAList) {
  WindowRun run({file_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait(settled));
  const auto becomes = [&](const char* name, const std::array<double, 3>& up) {
    run.click("##up_axis");
    run.click(name);
    return run.wait(
        [&](const auto& s) { return std::hypot(s.up[0] - up[0], s.up[1] - up[1], s.up[2] - up[2]) < 1e-3; });
  };
  const auto automatic = run.state()->up, forward = run.state()->forward;
  std::array<double, 3> of_view{};  // seen from a little above
  const double along = std::inner_product(forward.begin(), forward.end(), automatic.begin(), 0.0);
  for (size_t i = 0; i < 3; ++i) of_view[i] = (automatic[i] - along * forward[i]) / std::sqrt(1 - along * along);
  ASSERT_TRUE(becomes("up in this view", of_view));
  ASSERT_TRUE(becomes("+X", {1, 0, 0}));
  ASSERT_TRUE(becomes("automatic", automatic));
}

TEST_F(Scene, APictureAfterSomeSecondsChangesNoSettings) {
  write_cameras();
  const splat::test::TempFolder config;
  test::VirtualDisplay display(640, 480);  // smaller than the picture: the window is never shown
  if (!display.running()) GTEST_SKIP() << "there is no Xvfb here";
  const fs::path png = folder_.path() / "window.png";
  const auto start = std::chrono::steady_clock::now();
  std::string said;
  ASSERT_EQ(test::run_program({HIPSPLAT_PROGRAM, file_.string(), "--screenshot", png.string(), "--size", "1501x901",
                               "--after", "1.5"},
                              {{"DISPLAY", display.name()}, {"XDG_CONFIG_HOME", config.path().string()}}, &said),
            0)
      << said;
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1500));
  const auto picture = io::read_image(png);
  ASSERT_TRUE(picture.ok()) << picture.error().message;
  EXPECT_EQ(picture->width, 1501);
  EXPECT_EQ(picture->height, 901);
  EXPECT_GT(test::distinct_colours(*picture, 700, 250, 400, 400), 100u);
  EXPECT_TRUE(fs::is_empty(config.path()));
}

// The dialogs of the desktop, as far as this test's own portal has them.
class SceneWithPortal : public Scene {
 protected:
  WindowRun::Environment desktop() const {
    return {{"HIPSPLAT_OWN_FILE_DIALOG", ""}, {"DBUS_SESSION_BUS_ADDRESS", bus_.address()}};
  }
  const test::PrivateBus bus_;
};

TEST_F(SceneWithPortal, OpensWhatIsChosenThere) {
  if (!bus_.running()) GTEST_SKIP() << "there is no dbus-daemon here";
  test::FakePortal portal(bus_.address(), {.uris = {"file://" + file_.string()}});
  WindowRun run({}, desktop());
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.width > 0; }));
  run.input("sleep 0.5 key ctrl+o");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.splats == 2000; }));
  ASSERT_EQ(portal.calls().size(), 1u);
  EXPECT_EQ(portal.calls()[0].method, "OpenFile");
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
}

TEST_F(SceneWithPortal, SavesAPictureTwiceAsLargeAsTheScene) {
  if (!bus_.running()) GTEST_SKIP() << "there is no dbus-daemon here";
  const fs::path png = folder_.path() / "view.png";
  test::FakePortal portal(bus_.address(), {.uris = {"file://" + png.string()}});
  WindowRun run({file_.string()}, desktop());
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait(settled));
  const splat::Image8 before = run.picture();
  run.input("key ctrl+p");
  EXPECT_TRUE(run.wait_for_change(before, 1)) << "the dialog did not appear";
  EXPECT_TRUE(portal.calls().empty()) << "the size is asked for first";
  run.input("sleep 0.3 key Return");
  for (int i = 0; i < 1000 && !fs::exists(png); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto picture = io::read_image(png);
  ASSERT_TRUE(picture.ok()) << picture.error().message;
  EXPECT_EQ(picture->width, 2 * run.state()->width);
  EXPECT_EQ(picture->height, 2 * run.state()->height);
  EXPECT_GT(test::distinct_colours(*picture, picture->width / 4, picture->height / 4, picture->width / 2,
                                   picture->height / 2),
            100u);
  ASSERT_EQ(portal.calls().size(), 1u);
  EXPECT_EQ(portal.calls()[0].suggested, "view.png");
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
}

TEST_F(SceneWithPortal, SavesSplatsWithTheEndingOfTheFormat) {
  if (!bus_.running()) GTEST_SKIP() << "there is no dbus-daemon here";
  const fs::path copy = folder_.path() / "copy";  // without an ending: the format's is added
  test::FakePortal portal(bus_.address(), {.uris = {"file://" + copy.string()}});
  WindowRun run({file_.string()}, desktop());
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait(settled));
  const splat::Image8 before = run.picture();
  run.input("key ctrl+s");
  EXPECT_TRUE(run.wait_for_change(before, 1)) << "the dialog did not appear";
  run.input("sleep 0.3 key Return");
  const fs::path written = copy.string() + ".ply";
  for (int i = 0; i < 1000 && !fs::exists(written); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto splats = io::read_splat_file(written);
  ASSERT_TRUE(splats.ok()) << splats.error().message;
  EXPECT_EQ(splats->gaussians.size(), 2000u);
  EXPECT_EQ(portal.calls()[0].suggested, "scene-copy.ply") << "not over the file that is open";
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
}

}  // namespace
