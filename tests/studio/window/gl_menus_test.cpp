// What the window offers where something lies or has just happened: errors with what helps, files that were saved,
// menus of a right click, the list of steps, a picture for the clipboard.
#include <cstdlib>

#include "io/image_file.h"
#include "tests/studio/window/gl_edit.h"
#include "tests/support/test_paths.h"

namespace {

using namespace test;

class GlMenus : public GlEdit {
 protected:
  // A desktop whose xdg-open writes down what it is to open.
  WindowRun::Environment desktop() const {
    const fs::path program =
        folder_.write("bin/xdg-open", "#!/bin/sh\nprintf '%s\\n' \"$1\" >> '" + opened_.string() + "'\n");
    fs::permissions(program, fs::perms::owner_all);
    return {{"PATH", program.parent_path().string() + ":" + std::getenv("PATH")},
            {"DBUS_SESSION_BUS_ADDRESS", ""},
            {"XDG_RUNTIME_DIR", ""}};
  }
  bool opens(const std::string& expected) const {
    for (int i = 0; i < 500 && bytes_of(opened_) != expected; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return bytes_of(opened_) == expected;
  }
  static bool shows(WindowRun& run, const std::string& button) {
    return run.wait(
        [&](const auto&) { return run.trace_text().find("\nbutton " + button + " at ") != std::string::npos; }, 10);
  }

  const fs::path opened_ = folder_.path() / "opened";
};

TEST_F(GlMenus, AnErrorHasTheButtonThatHelps) {
  const fs::path broken = folder_.write("broken.ply", "ply\nformat ascii 1.0\nnonsense\n");
  WindowRun run({broken.string()}, desktop());
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.errors == 1; }));
  run.click("Open...###error_mended");
  EXPECT_TRUE(run.wait([](const auto& s) { return s.errors == 0; }, 10));
  EXPECT_TRUE(shows(run, "New folder")) << "the dialog of files";
}

TEST_F(GlMenus, TheFolderOfWhatWasSavedIsOneClickAway) {
  WindowRun run({scene_.string()}, desktop(), begins_in_folder());
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  run.input("key ctrl+s");
  save_copy(run);
  run.click("Open folder###said_folder");
  EXPECT_TRUE(opens(copy_.parent_path().string() + "\n")) << bytes_of(opened_);
}

TEST_F(GlMenus, ARightClickOffersWhatTheTableHasForTheScene) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  const WindowState s = *run.state();
  const int x = s.x + s.width / 2, y = s.y + s.height / 2;
  run.drag(3, x, y, x + 60, y);
  run.finish_frame();
  EXPECT_EQ(run.trace_text().find("\nbutton menu "), std::string::npos) << "a drag looks around";
  run.input("mousemove " + std::to_string(x) + " " + std::to_string(y) + " click 3");
  run.click("menu Select all splats");
  ASSERT_TRUE(run.wait([](const WindowState& now) { return now.selected == kSplats; }));
  run.input("mousemove " + std::to_string(x) + " " + std::to_string(y) + " click 3");
  run.click("menu Delete the selected splats");
  ASSERT_TRUE(run.wait([](const WindowState& now) { return now.deleted == kSplats; }));
}

TEST_F(GlMenus, ARightClickOnAnObjectIsOfThatObject) {
  WindowRun run({scene_.string()}, {}, "", {1100, 1300});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  drag_over_a_part(run);
  run.input("key ctrl+j");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.objects == 2 && s.shown_objects == 2; }));
  run.click("Object 1", 3);
  run.click("menu Hide it");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.shown_objects == 1; }));
  run.click("Object 1", 3);
  run.click("menu Lock it");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.locked_objects == 1; }));
}

TEST_F(GlMenus, ARightClickOnARecentSceneIsOfItsFile) {
  WindowRun run({}, desktop(), "{\"recent\": [\"" + scene_.string() + "\"]}");
  SKIP_WITHOUT_DISPLAY(run);
  run.click("recent scene.ply", 3);
  run.click("menu Open its folder");
  EXPECT_TRUE(opens(scene_.parent_path().string() + "\n")) << bytes_of(opened_);
  run.click("recent scene.ply", 3);
  run.click("menu Open");
  EXPECT_TRUE(run.wait([](const WindowState& s) { return s.splats == kSplats; }));
}

TEST_F(GlMenus, AStepOfTheListIsGoneBackTo) {
  WindowRun run({scene_.string()}, {}, "", {1100, 1300});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  drag_over_a_part(run);
  const size_t part = run.state()->selected;
  run.input("key Delete");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.deleted == part; }));
  run.input("key ctrl+a");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.selected == kSplats - part; }));
  run.click("History");
  run.click("step 0");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.deleted == 0 && s.selected == 0; }));
  run.click("step 1");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.deleted == 0 && s.selected == part; }));
  run.click("step 3");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.deleted == part && s.selected == kSplats - part; }));
}

TEST_F(GlMenus, ThePictureOfTheSceneIsCopied) {
  const fs::path copied = folder_.path() / "copied.png";
  const fs::path program = folder_.write("bin/xclip", "#!/bin/sh\ncat > '" + copied.string() + ".part'\nmv '" +
                                                          copied.string() + ".part' '" + copied.string() + "'\n");
  fs::permissions(program, fs::perms::owner_all);
  WindowRun::Environment environment = desktop();
  environment.push_back({"WAYLAND_DISPLAY", ""});
  environment.push_back({"XDG_CACHE_HOME", (folder_.path() / "cache").string()});
  WindowRun run({scene_.string()}, environment);
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.settled; }));
  run.input("key ctrl+shift+c");
  ASSERT_TRUE(run.wait([&](const WindowState&) { return fs::exists(copied); }));
  const auto picture = io::read_image(copied);
  ASSERT_TRUE(picture.ok());
  EXPECT_EQ(picture->width, run.state()->width);
  EXPECT_EQ(picture->height, run.state()->height);
}

TEST_F(GlMenus, AMeshFileIsShownByItself) {
  const fs::path mesh = folder_.write("m.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  WindowRun run({mesh.string()}, {}, "{\"recent\": []}");
  SKIP_WITHOUT_DISPLAY(run);
  EXPECT_TRUE(run.wait([](const WindowState& s) { return s.mesh == 2 && s.mesh_drawn; }));
}

TEST_F(GlMenus, PhotosStandInTheirCamerasAndAreNamedBesideThePointer) {
  WindowRun run({(test_paths::source() / "assets/demo").string()}, {}, "{\"camera_size\": 3}");
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.photos == 32 && s.settled; }));
  run.input("key Home sleep 2");
  run.finish_frame();
  const WindowState s = *run.state();
  // From where the photos were taken back to where their cameras are before it.
  run.input("mousemove " + std::to_string(s.x + s.width / 2) + " " + std::to_string(s.y + s.height / 2) +
            " click --repeat 12 --delay 60 5 sleep 2");
  run.finish_frame();
  const auto named = [&] { return run.trace_text().find("\nbutton pointed view_0") != std::string::npos; };
  for (int i = 0; i < 81 && !named(); ++i)
    run.input("mousemove " + std::to_string(s.x + s.width / 2 + 16 * (i % 9 - 4)) + " " +
              std::to_string(s.y + s.height / 2 + 16 * (i / 9 - 4)) + " sleep 0.1");
  EXPECT_TRUE(named());
  run.input("mousemove " + std::to_string(s.x + 5) + " " + std::to_string(s.y + s.height - 5) + " sleep 1");
  run.finish_frame();
  const splat::Image8 before = run.picture();
  run.input("key ctrl+shift+p sleep 1 type --delay 60 'photos in their'");
  run.input("sleep 0.5 key Return");
  EXPECT_TRUE(run.wait_for_change(before, 0.3)) << "they are drawn";
}

}  // namespace
