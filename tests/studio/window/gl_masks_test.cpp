// Masks painted on a photo of the built program's window.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "io/image_file.h"
#include "tests/studio/window/window_run.h"
#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

std::vector<std::string> photos_of(const fs::path& dataset) {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(dataset / "images")) names.push_back(file.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(GlMasks, ABrushAndAPolygonAreSavedAsTheMaskOfThePhoto) {
  const splat::test::TempFolder folder;
  const fs::path demo = folder.path() / "demo";
  fs::copy(test_paths::source() / "assets/demo", demo, fs::copy_options::recursive);
  const std::vector<std::string> names = photos_of(demo);
  WindowRun window({demo.string()}, {}, test::settings_with_layout(380));
  SKIP_WITHOUT_DISPLAY(window);
  ASSERT_TRUE(window.wait([](const auto& s) { return s.photos == 32 && s.settled; }));
  window.click("Photos");
  window.click("photo " + names[1], 3);
  window.click("menu Paint a mask on it");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_view == 1 && s.mask_ready; }));
  window.finish_frame();
  const auto middle = window.place_of("canvas");
  ASSERT_TRUE(middle.has_value());
  const auto [x, y] = *middle;
  const splat::Image8 before = window.picture();
  window.drag(1, x - 60, y, x + 60, y);
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_steps == 1; }));
  EXPECT_TRUE(window.wait_for_change(before, 0.2)) << "what is left out is red";
  window.drag(1, x, y - 60, x, y + 60);
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_steps == 2; }));
  window.input("key ctrl+z");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_steps == 1; }));
  window.input("key ctrl+shift+z");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_steps == 2; }));
  window.input("key ctrl+z");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_steps == 1; }));

  window.input("key x");
  for (const auto& [across, down] : {std::pair{-90, -90}, {-50, -90}, {-50, -60}, {-90, -60}})
    window.input("mousemove " + std::to_string(x + across) + " " + std::to_string(y + down) + " sleep 0.1 click 1");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_corners == 4 && s.mask_steps == 1; }));
  window.input("mousemove " + std::to_string(x - 88) + " " + std::to_string(y - 88) + " sleep 0.1 click 1");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_corners == 0 && s.mask_steps == 2; }));

  window.input("key ctrl+s");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_steps == 0 && s.mask_ready; }));
  const auto mask = io::read_image(demo / "masks" / (names[1] + ".png"));
  ASSERT_TRUE(mask.ok());
  const size_t width = size_t(mask->width), centre = size_t(mask->height) / 2 * width + width / 2;
  EXPECT_EQ(mask->pixels[centre], 0);
  EXPECT_EQ(mask->pixels[centre - 5], 0) << "along the stroke";
  EXPECT_EQ(mask->pixels[0], 255);
  EXPECT_EQ(mask->pixels[centre - size_t(mask->height) / 5 * width], 255) << "the stroke that was taken back";

  window.click("Invert");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_steps == 1; }));
  window.input("key bracketright");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_view == 2 && s.mask_ready && s.mask_steps == 0; }));
  EXPECT_FALSE(window.state()->mask_asks) << "nothing is lost";
  window.input("key bracketleft");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_view == 1 && s.mask_ready && s.mask_steps == 1; }));
  window.input("key Escape");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_asks; })) << "it would be lost";
  window.finish_frame();
  window.input("key Escape");
  ASSERT_TRUE(window.wait([](const auto& s) { return !s.mask_asks && s.mask_view == 1 && s.mask_steps == 1; }));
  window.finish_frame();
  window.input("key Escape");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_asks; })) << "closing it as well";
  window.click("Discard");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_view == -1; }));
  window.click("photo " + names[2], 3);
  window.click("menu Paint a mask on it");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_view == 2 && s.mask_ready && s.mask_steps == 0; }));
  window.click("Invert");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_steps == 1; }));
  window.input("key bracketright");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_view == 3 && s.mask_ready && s.mask_steps == 0; }));
  window.click("Invert");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_steps == 1; }));
  window.input("key bracketright");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_view == 4 && s.mask_ready; }));
  window.input("key ctrl+q");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mask_asks; })) << "and the window";
  window.finish_frame();
  window.input("key Return");  // saves both
  EXPECT_EQ(window.wait_for_end(), 0);
  for (const int photo : {2, 3}) {
    const auto inverted = io::read_image(demo / "masks" / (names[size_t(photo)] + ".png"));
    ASSERT_TRUE(inverted.ok()) << photo;
    EXPECT_EQ(std::count(inverted->pixels.begin(), inverted->pixels.end(), 255), 0) << photo;
  }
}

// As edits do, and by every other end that the window does not come to by itself; the mask is written by the user
// alone.
TEST(GlMasks, PaintThatIsNotSavedOutlivesASignal) {
  const splat::test::TempFolder folder;
  const fs::path demo = folder.path() / "demo";
  fs::copy(test_paths::source() / "assets/demo", demo, fs::copy_options::recursive);
  const WindowRun::Environment remembering{{"XDG_CONFIG_HOME", (folder.path() / "config").string()}};
  const auto opened = [&](WindowRun& run) {
    return run.wait([](const auto& s) { return s.photos == 32 && s.settled; });
  };
  {
    WindowRun run({demo.string()}, remembering);
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(opened(run));
    run.input("key ctrl+shift+p");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.typed == "="; }));
    run.input("type --delay 60 'paint a mask'");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.typed == "=paint_a_mask"; }));
    run.input("key Return");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.mask_view == 0 && s.mask_ready; }));
    run.finish_frame();
    const auto middle = run.place_of("canvas");
    ASSERT_TRUE(middle.has_value());
    run.drag(1, (*middle)[0] - 60, (*middle)[1], (*middle)[0] + 60, (*middle)[1]);
    ASSERT_TRUE(run.wait([](const auto& s) { return s.mask_steps == 1; }));
    run.click("Invert");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.mask_steps == 2; }));
    kill(run.process(), SIGTERM);
    EXPECT_EQ(run.wait_for_end(), 130);
  }
  EXPECT_FALSE(fs::exists(demo / "masks"));
  {
    WindowRun run({demo.string()}, remembering);
    ASSERT_TRUE(opened(run));
    run.click("Go on painting");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.mask_view == 0 && s.mask_ready && s.mask_steps == 2; }));
    run.click("Save mask");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.mask_steps == 0 && s.mask_ready; }));
    run.input("key ctrl+q");
    EXPECT_EQ(run.wait_for_end(), 0);
  }
  EXPECT_TRUE(fs::is_empty(folder.path() / "config/hipsplat/paint")) << "it is not offered again";
  const auto mask = io::read_image(demo / "masks" / (photos_of(demo).front() + ".png"));
  ASSERT_TRUE(mask.ok());
  const size_t width = size_t(mask->width), centre = size_t(mask->height) / 2 * width + width / 2;
  EXPECT_EQ(mask->pixels[centre], 255) << "the stroke, inverted";
  EXPECT_EQ(mask->pixels[0], 0);
}

}  // namespace
