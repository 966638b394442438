// Photos without cameras in the built program, by the keyboard, with the stand-in for colmap: Enter starts the search,
// and closing the window asks first.
#include <gtest/gtest.h>

#include "io/image_file.h"
#include "tests/studio/window/window_run.h"
#include "tests/support/pictures.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

TEST(GlAlign, EnterStartsTheSearchAndClosingAsksFirst) {
  const splat::test::TempFolder folder;
  const fs::path photos = folder.path() / "photos";
  for (int i = 0; i < 14; ++i)
    folder.write("photos/" + std::to_string(10 + i) + ".jpg",
                 io::encode_jpeg(splat::test::wavy_picture(64, 48, 3, i), 90));
  WindowRun run({}, {{"HIPSPLAT_COLMAP", FAKE_COLMAP_PROGRAM},
                     {"FAKE_COLMAP_HOLD", folder.write("hold", "").string()},
                     {"PWD", folder.path().string()}});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.panels == "000"; }));
  run.input("sleep 1 key ctrl+shift+o");
  ASSERT_TRUE(run.wait([&](const auto&) { return bool(run.place_of("New folder")); }));
  run.input("sleep 1 type --delay 60 '" + photos.string() + "'");
  run.input("sleep 0.5 key Return");
  ASSERT_TRUE(run.wait([&](const auto&) { return bool(run.place_of("Find the cameras")); }));
  EXPECT_FALSE(fs::exists(folder.path() / "photos_scene"));
  run.input("sleep 1 key Return");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.photos >= 5; })) << "some of its cameras are found";
  run.input("key ctrl+q");
  ASSERT_TRUE(run.wait([&](const auto&) { return bool(run.place_of("Keep going")); })) << "it is asked first";
  run.input("sleep 1 key Escape sleep 1");
  run.finish_frame();
  EXPECT_GE(run.state()->photos, 5u) << "it goes on";
  int code = -1;  // on a busy machine the question comes late
  for (int i = 0; i < 10 && code != 0; ++i) {
    run.input("key ctrl+q sleep 1 key Return");
    code = run.wait_for_end(10);
  }
  EXPECT_EQ(code, 0);
}

}  // namespace
