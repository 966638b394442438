// What is opened and what is not, and how the panels stand then, in the built program.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/studio/window/window_run.h"
#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

class GlOpen : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(path_.parent_path());
    ASSERT_TRUE(io::write_splat_file(path_, splat::bench::make_scene({2000, 400, 300}).model).ok());
  }
  splat::test::TempFolder folder_;
  const fs::path path_ = folder_.path() / "some folder/scene.ply";
};

TEST_F(GlOpen, AFolderTypedWhereAFileIsToBeNamedIsLookedInto) {
  WindowRun run({});
  SKIP_WITHOUT_DISPLAY(run);
  run.click("Open...");
  run.input("sleep 1");
  const auto enter = [&](const std::string& text) {
    run.input("type --delay 60 '" + text + "'");
    run.input("sleep 0.5 key Return sleep 1");
  };
  enter(path_.parent_path().string());
  EXPECT_EQ(run.state()->errors, 0);
  enter("scene.ply");
  EXPECT_TRUE(run.wait([](const auto& s) { return s.splats == 2000 && s.errors == 0; }, 20));
}

TEST_F(GlOpen, TheSameDialogOpensAFolder) {
  WindowRun run({});
  SKIP_WITHOUT_DISPLAY(run);
  run.input("sleep 1 key ctrl+o");
  run.input("sleep 1 type --delay 60 '" + (test_paths::source() / "assets/demo").string() + "'");
  run.input("sleep 0.5 key Return sleep 1");
  run.click("Open this folder");
  EXPECT_TRUE(run.wait([](const auto& s) { return s.photos == 32 && s.errors == 0; }));
}

TEST_F(GlOpen, ResultsMayGoIntoAFolderThatIsNotThereYet) {
  WindowRun run({(test_paths::source() / "assets/demo").string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32; }));
  run.click("Choose...");
  ASSERT_TRUE(run.wait([&](const auto&) { return bool(run.place_of("New folder")); }));
  const fs::path wanted = folder_.path() / "a new run";
  run.input("sleep 1 type --delay 60 '" + wanted.string() + "'");
  run.input("sleep 0.5 key Return");
  EXPECT_TRUE(run.wait([&](const auto&) {
    return run.trace_text().find("\"output\":\"" + wanted.string() + "\"") != std::string::npos;
  }));
  EXPECT_FALSE(fs::exists(wanted)) << "the run makes it";
}

// What one came for is in sight in a small window, and stays where it is when settings are unfolded.
TEST_F(GlOpen, StartIsAboveTheSettings) {
  WindowRun run({(test_paths::source() / "assets/demo").string()}, {}, "", {900, 600});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32 && s.settled; }));
  run.finish_frame();
  const auto start = run.place_of("Start training"), settings = run.place_of("Settings");
  ASSERT_TRUE(start && settings);
  EXPECT_LT((*start)[1], (*settings)[1]);
  EXPECT_LT((*start)[1], 500);
  run.click("Settings");
  run.input("sleep 1");
  run.finish_frame();
  EXPECT_EQ((*run.place_of("Start training"))[1], (*start)[1]);
  EXPECT_TRUE(run.place_of("Hold out photos"));
}

TEST_F(GlOpen, TheSceneSaysWhetherItIsViewedOrEdited) {
  WindowRun run({path_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  EXPECT_FALSE(run.place_of("Edit###mode"));
  run.click("View###mode");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.editing; }));
  run.click("Edit###mode");
  EXPECT_TRUE(run.wait([](const auto& s) { return !s.editing; }));
}

// Without anything drawn over it: the photo itself, until training shows what it makes of it.
TEST_F(GlOpen, ADatasetOpensAtItsFirstPhoto) {
  WindowRun run({(test_paths::source() / "assets/demo").string()}, {}, "{\"recent\": [\"/old/scene.ply\"]}");
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32 && s.at_photo == 0; }));
  const test::WindowState s = *run.state();
  bool shown = false;
  for (int i = 0; i < 100 && !shown; ++i) {
    run.finish_frame();
    shown =
        test::distinct_colours(run.picture(), s.x + s.width / 4, s.y + s.height / 4, s.width / 2, s.height / 2) > 200;
  }
  EXPECT_TRUE(shown);
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
  std::ifstream file(run.folder() / "config/hipsplat/window.json");
  const std::string saved((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(saved.find("\"opened\": {"), std::string::npos) << saved;
  EXPECT_NE(saved.find("/old/scene.ply"), std::string::npos) << "kept, its age is not known";
}

TEST_F(GlOpen, AScreenshotOfAnErrorIsAFailure) {
  const test::VirtualDisplay display(800, 600);
  if (!display.running()) GTEST_SKIP() << "there is no Xvfb here";
  const fs::path broken = folder_.write("broken.ply", "ply\nformat ascii 1.0\nnonsense\n");
  const fs::path png = folder_.path() / "picture.png";
  std::string said;
  EXPECT_EQ(test::run_program({HIPSPLAT_PROGRAM, broken.string(), "--screenshot", png.string()},
                              {{"DISPLAY", display.name()}, {"XDG_CONFIG_HOME", folder_.path().string()}}, &said),
            2);
  EXPECT_NE(said.find("shows an error"), std::string::npos) << said;
  EXPECT_TRUE(fs::exists(png)) << "one may want to see it";
}

TEST_F(GlOpen, ASmallWindowNarrowsItsPanelsOnlyForAsLongAsItIsSmall) {
  WindowRun run({path_.string()}, {}, test::settings_with_layout(280));
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  const int wide = run.state()->x;
  EXPECT_GE(wide, 280);
  const auto resize = [&](int width, int height) {
    run.input("search --name hipsplat windowsize " + std::to_string(width) + " " + std::to_string(height));
  };
  resize(600, 500);
  ASSERT_TRUE(run.wait([&](const auto& s) { return s.x < wide - 50; }));
  resize(WindowRun::kWidth, WindowRun::kHeight);
  EXPECT_TRUE(run.wait([&](const auto& s) { return s.x == wide; }, 10));
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
  std::ifstream file(run.folder() / "config/hipsplat/window.json");
  const std::string saved((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(saved.find("SizeRef=280,"), std::string::npos) << saved;
}

TEST_F(GlOpen, ARightClickPutsASliderBackToItsDefault) {
  WindowRun run({path_.string()}, {}, "{\"speed\": 4}");
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  run.click("Display");  // folded, so that the slider is in sight
  run.click("##speed", 3);
  run.finish_frame();
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
  std::ifstream file(run.folder() / "config/hipsplat/window.json");
  const std::string saved((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(saved.find("\"speed\": 1.0"), std::string::npos) << saved;
}

}  // namespace
