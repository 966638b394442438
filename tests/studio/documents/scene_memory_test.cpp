// What the window remembers of scenes: bookmarks and the up axis, by path and by content.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "io/io.h"
#include "studio/documents/scene_memory_file.h"
#include "tests/studio/live_window.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/synthetic_scene.h"
#include "tests/support/temp_folder.h"

namespace studio::test {

using namespace app::test;
namespace {

namespace fs = std::filesystem;
using splat::test::TempFolder;
using studio::SceneMemory;

SceneMemory some_memory(double x = 1.25) {
  SceneMemory memory;
  memory.up = viewer::Vec3{0, 0, 1};
  viewer::CameraState camera;
  camera.position = {x, -0.1, 1e-7};
  camera.world_from_cam = viewer::rotation_about({0.6, 0, 0.8}, 1.1);
  camera.fov_y_deg = 42.5;
  camera.focus_distance = 3.25;
  camera.orthographic = true;
  memory.bookmarks[2] = camera;
  memory.metres_per_unit = 0.3 * x;
  memory.crop_box = splat::box_about({x, 0.1, -1e6}, {0.7, 0.3, 2}, {0.6, 0, 0.8, 0});
  memory.path.keys = {{0, {{x, 0.1, -3}, {1, 0, 0, 0}, 50}}, {1.1, {{0, x, 1e-7}, {0.6, 0, 0.8, 0}, 31.4}, true, 0.3}};
  memory.path.loop = splat::LoopMode::kPingPong;
  memory.path.target = {x, 0.2, 0.3};
  return memory;
}

TEST(SceneMemory, ComesBackBitByBit) {
  const TempFolder folder;
  const fs::path scene = folder.write("a.ply", "splats");
  EXPECT_TRUE(remembered_scene(folder.path(), scene).empty());
  ASSERT_TRUE(remember_scene(folder.path(), scene, some_memory()).ok());
  const SceneMemory back = remembered_scene(folder.path(), scene);
  EXPECT_TRUE(back == some_memory());
  EXPECT_FALSE(back == some_memory(1.5));
  EXPECT_TRUE(remembered_scene(folder.path(), folder.write("b.ply", "others")).empty());
}

TEST(SceneMemory, FollowsAFileThatIsMovedAndAPathWhoseFileChanges) {
  const TempFolder folder;
  const fs::path scene = folder.write("a.ply", "splats");
  ASSERT_TRUE(remember_scene(folder.path(), scene, some_memory()).ok());
  const fs::path moved = folder.path() / "sub" / "renamed.ply";
  fs::create_directories(moved.parent_path());
  fs::rename(scene, moved);
  EXPECT_TRUE(remembered_scene(folder.path(), moved) == some_memory());
  folder.write("a.ply", "trained for longer");
  EXPECT_TRUE(remembered_scene(folder.path(), scene) == some_memory()) << "the same scene, by its path";
  const fs::path dataset = folder.path() / "photos";
  fs::create_directories(dataset);
  ASSERT_TRUE(remember_scene(folder.path(), dataset, some_memory(2)).ok());
  EXPECT_TRUE(remembered_scene(folder.path(), dataset / "") == some_memory(2));
}

TEST(SceneMemory, AnEmptyOneForgetsAndTheListStaysShort) {
  const TempFolder folder;
  for (size_t i = 0; i < kMostScenes + 5; ++i)
    ASSERT_TRUE(remember_scene(folder.path(), folder.path() / std::to_string(i), some_memory(double(i))).ok());
  EXPECT_TRUE(remembered_scene(folder.path(), folder.path() / "0").empty()) << "the oldest go first";
  EXPECT_TRUE(remembered_scene(folder.path(), folder.path() / "204") == some_memory(204));
  ASSERT_TRUE(remember_scene(folder.path(), folder.path() / "204", {}).ok());
  EXPECT_TRUE(remembered_scene(folder.path(), folder.path() / "204").empty());
  EXPECT_FALSE(remembered_scene(folder.path(), folder.path() / "203").empty());
}

// Paths may be long: the oldest scenes go before the file becomes larger than what is read of it.
TEST(SceneMemory, LongPathsPushOutTheOldestScenes) {
  const TempFolder folder;
  SceneMemory memory = some_memory();
  while (memory.path.keys.size() < 20000) {
    memory.path.keys.push_back(memory.path.keys.back());
    memory.path.keys.back().seconds += 1. / 3;
  }
  constexpr int kScenes = 6;
  for (int i = 0; i < kScenes; ++i)
    ASSERT_TRUE(remember_scene(folder.path(), folder.path() / std::to_string(i), memory).ok());
  EXPECT_TRUE(remembered_scene(folder.path(), folder.path() / std::to_string(kScenes - 1)) == memory);
  EXPECT_TRUE(remembered_scene(folder.path(), folder.path() / "0").empty());
}

TEST(SceneMemory, ADamagedFileIsNoReasonForAnything) {
  const TempFolder folder;
  const fs::path scene = folder.write("a.ply", "splats");
  ASSERT_TRUE(remember_scene(folder.path(), scene, some_memory()).ok());
  const std::string good = text_of(folder.path() / "scenes.json");
  for (size_t length : {size_t(0), size_t(1), good.size() / 2, good.size() - 3}) {
    folder.write("scenes.json", good.substr(0, length));
    EXPECT_TRUE(remembered_scene(folder.path(), scene).empty());
  }
  // Numbers that make no camera and no direction.
  std::string bad = good;
  for (const auto& [from, to] : {std::pair("\"focus_distance\": 3.25", "\"focus_distance\": -1"),
                                 std::pair("\"fov_y_deg\": 42.5", "\"fov_y_deg\": \"wide\"")}) {
    bad = good;
    ASSERT_NE(bad.find(from), std::string::npos) << good;
    bad.replace(bad.find(from), std::string(from).size(), to);
    folder.write("scenes.json", bad);
    const SceneMemory memory = remembered_scene(folder.path(), scene);
    EXPECT_TRUE(memory.up.has_value());
    EXPECT_FALSE(memory.bookmarks[2].has_value());
  }
  folder.write("scenes.json", "{\"scenes\": [7, {\"path\": 3}, {\"path\": \"" + fs::weakly_canonical(scene).string() +
                                  "\", \"up\": [5, 0, 0], \"bookmarks\": [null, 1, {\"position\": [1, 2]}]}]}");
  EXPECT_TRUE(remembered_scene(folder.path(), scene).empty());
  ASSERT_TRUE(remember_scene(folder.path(), scene, some_memory()).ok());
  EXPECT_TRUE(remembered_scene(folder.path(), scene) == some_memory());
  EXPECT_TRUE(remembered_scene("", scene).empty());
  EXPECT_TRUE(remember_scene("", scene, some_memory()).ok());
}

TEST(SceneMemory, TheWindowGetsBackWhatItSent) {
  const TempFolder folder;
  const fs::path config = folder.path() / "config";
  const fs::path path = folder.path() / "scene.ply";
  ASSERT_TRUE(io::write_splat_file(path, splat::test::make_scene({}).model).ok());
  const SceneOnDisk dataset;
  {
    LiveWindow window(2, config);
    window.send(studio::OpenPath{path});
    ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); }));
    EXPECT_TRUE(window.splats->memory.empty());
    window.send(studio::RememberScene{path, some_memory()});
    window.send(studio::RememberScene{dataset.dataset(), some_memory(7)});
  }
  LiveWindow window(2, config);
  window.send(studio::OpenPath{path});
  ASSERT_TRUE(window.wait([&] { return window.splats.has_value(); }));
  EXPECT_TRUE(window.splats->memory == some_memory());
  window.send(studio::OpenPath{dataset.dataset()});
  ASSERT_TRUE(window.wait([&] { return window.dataset.has_value(); }));
  EXPECT_TRUE(window.dataset->memory == some_memory(7));
}

}  // namespace
}  // namespace studio::test
