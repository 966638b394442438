// The edit mode of a window with a scene of its own, for tests of what keys and drags do to its splats.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "studio/window/window_settings.h"
#include "tests/studio/window/window_run.h"

namespace test {

namespace fs = std::filesystem;

inline constexpr size_t kSplats = 2000;

inline std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Settings of a window that draws nothing but the splats, by one of its two renderers.
inline std::string drawn_by(studio::RendererChoice renderer) {
  return R"({"show_grid": false, "renderer": )" + std::to_string(int(renderer)) + "}";
}

class GlEdit : public testing::Test {
 protected:
  GlEdit() { EXPECT_TRUE(io::write_splat_file(scene_, splat::bench::make_scene({kSplats, 400, 300}).model).ok()); }

  static void begin(WindowRun& run) {
    ASSERT_TRUE(run.wait([](const WindowState& s) { return s.settled; }));
    run.input("key ctrl+e");
    ASSERT_TRUE(run.wait([](const WindowState& s) { return s.editing; }));
    run.finish_frame();
  }
  // Does something with the mouse until the selection is another one: a press that comes before the frame in which a
  // dialog has gone is not the tool's.
  static void select_by(WindowRun& run, const std::function<void()>& mouse) {
    const size_t before = run.state()->selected;
    for (int tries = 0; tries < 5; ++tries) {
      run.finish_frame();
      mouse();
      for (int i = 0; i < 250 && run.state()->selected == before; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (run.state()->selected != before) return;
    }
    ADD_FAILURE() << "nothing was selected";
  }
  // In pixels from the middle of the scene, again until `count` has reached `wanted`.
  static void click_beside_middle(WindowRun& run, int dx, int dy, size_t WindowState::*count, size_t wanted) {
    const WindowState s = *run.state();
    const std::string place = std::to_string(s.x + s.width / 2 + dx) + " " + std::to_string(s.y + s.height / 2 + dy);
    const auto reached = [&] { return (*run.state()).*count >= wanted; };
    for (int tries = 0; tries < 5 && !reached(); ++tries) {
      run.input("mousemove " + place + " sleep 0.2 click 1");
      for (int i = 0; i < 100 && !reached(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ASSERT_EQ((*run.state()).*count, wanted);
  }
  // The lower right quarter of the scene.
  static void drag_over_a_part(WindowRun& run) {
    const WindowState s = *run.state();
    select_by(run,
              [&] { run.drag(1, s.x + s.width / 2, s.y + s.height / 2, s.x + s.width - 10, s.y + s.height - 10); });
  }
  // Enter for the format's dialog and for the file dialog, which begins in folder_; once more where a dialog was not
  // there yet.
  void save_copy(WindowRun& run) const {
    for (int i = 0; i < 60 && !fs::exists(copy_); ++i) run.input("sleep 0.7 key Return");
    ASSERT_TRUE(fs::exists(copy_));
    ASSERT_TRUE(run.wait([](const WindowState& s) { return !s.unsaved; }));
  }
  // A key that comes while a dialog is still there is the dialog's; one Enter too many may have opened it again.
  static int quit(WindowRun& run) {
    for (int tries = 0; tries < 8; ++tries) {
      run.input("key ctrl+q");
      if (const int code = run.wait_for_end(8); code >= 0) return code;
      if (run.state()->asks) break;
      run.input("key Escape");
    }
    return -1;
  }
  std::string begins_in_folder() const { return "{\"last_folder\": \"" + folder_.path().string() + "\"}"; }

  splat::test::TempFolder folder_;
  const fs::path scene_ = folder_.path() / "scene.ply", copy_ = folder_.path() / "scene-copy.ply";
};
// Of a window that ended with edits that were not saved, and the one after it.
class GlEditKept : public GlEdit {
 protected:
  WindowRun::Environment remembering() const { return {{"XDG_CONFIG_HOME", (folder_.path() / "config").string()}}; }
  size_t files() const {
    std::error_code code;
    const fs::directory_iterator kept(folder_.path() / "config/hipsplat/edits", code);
    return size_t(std::count_if(fs::begin(kept), fs::end(kept),
                                [](const auto& entry) { return entry.path().extension() == ".edits"; }));
  }
  bool wait_for_files(size_t wanted, int seconds = 30) const {
    for (int i = 0; i < 50 * seconds && files() != wanted; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return files() == wanted;
  }
  // A part is deleted; how many splats that is.
  static size_t delete_a_part(WindowRun& run) {
    begin(run);
    drag_over_a_part(run);
    EXPECT_TRUE(run.wait([](const WindowState& s) { return s.selected > 0; }));
    run.input("key Delete");
    EXPECT_TRUE(run.wait([](const WindowState& s) { return s.unsaved && s.selected == 0; }));
    return run.state()->deleted;
  }
};

}  // namespace test
