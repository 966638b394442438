// The window's own file dialog, with real keys and clicks.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/studio/window/window_run.h"
#include "tests/support/temp_folder.h"

namespace test {
namespace {

namespace fs = std::filesystem;

bool becomes(const std::function<bool()>& true_now) {
  for (int i = 0; i < 600; ++i) {
    if (true_now()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}

// A scene, an older one, something else and a folder.
class GlFileDialog : public testing::Test {
 protected:
  void SetUp() override {
    const auto splats = splat::bench::make_scene({2000, 400, 300}).model;
    ASSERT_TRUE(io::write_splat_file(scenes_ / "a-scene.ply", splats).ok());
    ASSERT_TRUE(io::write_splat_file(scenes_ / "b-scene.ply", splat::bench::make_scene({3000, 400, 300}).model).ok());
    fs::last_write_time(scenes_ / "a-scene.ply", fs::last_write_time(scenes_) - std::chrono::hours(50));
    folder_.write("scenes/apt.log", "nothing to open");
    fs::create_directory(scenes_ / "sub");
  }
  std::string begins_there(double scale = 1) const {
    return "{\"last_folder\": \"" + scenes_.string() + "\", \"interface_scale\": " + std::to_string(scale) + "}";
  }
  static bool lists(WindowRun& run, int rows) {
    return run.wait([&](const WindowState& s) { return s.listed == rows; });
  }
  static bool above(const WindowRun& run, const std::string& one, const std::string& other) {
    const auto a = run.place_of("file " + one), b = run.place_of("file " + other);
    return a && b && (*a)[1] < (*b)[1];
  }

  const splat::test::TempFolder folder_;
  const fs::path scenes_ = [this] {
    fs::create_directory(folder_.path() / "scenes");
    return folder_.path() / "scenes";
  }();
};

TEST_F(GlFileDialog, ListsWhatCanBeOpenedInOrderAndOpensWhatIsTyped) {
  WindowRun run({}, {}, begins_there());
  SKIP_WITHOUT_DISPLAY(run);
  run.click("Open...");
  ASSERT_TRUE(lists(run, 3)) << "the folder and both scenes";
  EXPECT_TRUE(becomes([&] { return above(run, "sub", "a-scene.ply") && above(run, "a-scene.ply", "b-scene.ply"); }));
  run.click("by Changed");
  EXPECT_TRUE(becomes([&] { return above(run, "b-scene.ply", "a-scene.ply"); })) << "the newest first";
  run.click("kinds");
  run.click("All files");
  ASSERT_TRUE(lists(run, 4));
  run.input("type b");
  ASSERT_TRUE(lists(run, 2)) << "b-scene.ply and sub";
  run.input("type -- -s");
  ASSERT_TRUE(lists(run, 1));
  run.input("key Return");
  EXPECT_TRUE(run.wait([](const WindowState& s) { return s.splats == 3000 && s.listed == -1; }));
}

TEST_F(GlFileDialog, KeysGoThroughRowsAndFolders) {
  WindowRun run({(scenes_ / "b-scene.ply").string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.splats == 3000 && s.settled; }));
  run.input("key ctrl+o");
  ASSERT_TRUE(lists(run, 3)) << "it begins where the scene lies";
  run.input("type sub/");
  ASSERT_TRUE(lists(run, 0)) << "a slash enters";
  run.input("key BackSpace");
  ASSERT_TRUE(lists(run, 3)) << "Backspace in an empty field goes up";
  run.input("key Escape");
  ASSERT_TRUE(lists(run, -1));
  run.input("key ctrl+o");
  ASSERT_TRUE(lists(run, 3));
  run.input("key Down sleep 0.3 key Down sleep 0.3 key Return");  // the folder, then the first scene
  EXPECT_TRUE(run.wait([](const WindowState& s) { return s.splats == 2000; }));
}

TEST_F(GlFileDialog, MakesFolders) {
  WindowRun run({(scenes_ / "b-scene.ply").string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.splats == 3000 && s.settled; }));
  run.input("key ctrl+s");
  run.click("Save as...");
  ASSERT_TRUE(lists(run, 3));
  run.click("New folder");
  run.click("new folder's name");
  run.input("type sub");
  run.input("sleep 0.3 key Return sleep 0.5");
  EXPECT_EQ(run.state()->listed, 3) << "there is one of that name";
  run.input("key ctrl+a sleep 0.2 type made");
  run.input("sleep 0.3 key Return");
  ASSERT_TRUE(lists(run, 0)) << "it is entered";
  EXPECT_TRUE(fs::is_directory(scenes_ / "made"));
  run.input("key ctrl+a sleep 0.2 type --delay 60 'x/y/z/copy.ply'");
  run.click("Make the folder and save###choose");
  EXPECT_TRUE(becomes([&] { return fs::exists(scenes_ / "made/x/y/z/copy.ply"); }));
  EXPECT_EQ(run.state()->errors, 0);
}

// What one needs is in the window, however small it is or large its letters are.
TEST_F(GlFileDialog, FitsSmallWindows) {
  const auto try_it = [&](std::array<int, 2> size, double scale) {
    WindowRun run({}, {}, begins_there(scale), size);
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait([](const WindowState& s) { return s.width > 0; }));
    run.input("key ctrl+o");
    ASSERT_TRUE(lists(run, 3));
    run.finish_frame();
    for (const char* label : {"Up", "New folder", "by Name", "file a-scene.ply", "file name", "Open###choose",
                              "Open this folder", "Cancel"}) {
      const auto place = run.place_of(label);
      ASSERT_TRUE(place) << label;
      EXPECT_TRUE((*place)[0] >= 0 && (*place)[0] < size[0] && (*place)[1] >= 0 && (*place)[1] < size[1])
          << label << " at " << (*place)[0] << " " << (*place)[1] << " of " << size[0] << "x" << size[1] << " at scale "
          << scale;
    }
    run.input("type b-s");
    ASSERT_TRUE(lists(run, 1));
    run.input("key Return");
    EXPECT_TRUE(run.wait([](const WindowState& s) { return s.splats == 3000; }));
  };
  try_it({900, 600}, 1);
  try_it({900, 600}, 2);
  try_it({400, 300}, 1);
}

}  // namespace
}  // namespace test
