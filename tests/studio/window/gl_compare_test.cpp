// Photos beside the splats, over the whole scene of the built program.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/studio/window/window_run.h"
#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

// A short run on the demo: 32 photos, 4 of them held out.
class GlCompare : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy(test_paths::source() / "assets/demo", folder_.path() / "demo", fs::copy_options::recursive);
    std::string said;
    ASSERT_EQ(test::run_program({HIPSPLAT_PROGRAM, "--train", (folder_.path() / "demo").string(), "-o", run(), "-i",
                                 "80", "-r", "4", "--eval", "--quiet"},
                                {}, &said),
              0)
        << said;
  }
  std::string run() const { return (folder_.path() / "run").string(); }

  splat::test::TempFolder folder_;
};

TEST_F(GlCompare, APhotoAndTheSplatsShareTheSceneWithABorderToDrag) {
  WindowRun window({run()});
  SKIP_WITHOUT_DISPLAY(window);
  ASSERT_TRUE(window.wait([](const auto& s) { return s.photos == 32 && s.settled; }));
  window.input("key k");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.compared == 0 && s.psnr > 10; }));
  EXPECT_EQ(window.state()->figures, 1u);

  const auto start = *window.state();
  const int middle = start.x + start.width / 2, y = start.y + start.height / 2;
  const splat::Image8 before = window.picture();
  window.drag(1, middle, y, middle + start.width / 6, y);
  window.finish_frame();
  EXPECT_GT(window.state()->split, 0.6);
  EXPECT_EQ(window.state()->position, start.position) << "the camera stays where it is";
  EXPECT_TRUE(window.wait_for_change(before, 0.2)) << "more of the splats is seen, less of the photo";

  const splat::Image8 wiped = window.picture();
  window.input("key x");
  ASSERT_TRUE(window.wait_for_change(wiped, 0.2)) << "one of them, where there were two";
  const splat::Image8 blinked = window.picture();
  EXPECT_TRUE(window.wait_for_change(blinked, 0.2)) << "the other one, by itself";
  window.input("key x sleep 1 key x");  // the difference, then the border again

  window.input("key bracketright");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.compared == 1 && s.psnr > 10; }));
  window.input("key F1");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.keys; }));
  window.input("key Escape");
  ASSERT_TRUE(window.wait([](const auto& s) { return !s.keys; }));
  EXPECT_EQ(window.state()->compared, 1) << "the sheet took it";
  window.input("key Escape");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.compared == -1; }));
}

TEST_F(GlCompare, ARightClickOnAPhotoOffersToCompareIt) {
  WindowRun window({run()}, {}, test::settings_with_layout(380));
  SKIP_WITHOUT_DISPLAY(window);
  ASSERT_TRUE(window.wait([](const auto& s) { return s.photos == 32 && s.settled; }));
  window.click("Photos");
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(folder_.path() / "demo/images"))
    names.push_back(file.path().filename());
  std::sort(names.begin(), names.end());
  window.click("photo " + names[1], 3);
  window.click("menu Compare with the splats");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.compared == 1 && s.psnr > 10; }));
}

TEST_F(GlCompare, EveryPhotoIsMeasured) {
  WindowRun window({run()}, {}, test::settings_with_layout(380));
  SKIP_WITHOUT_DISPLAY(window);
  ASSERT_TRUE(window.wait([](const auto& s) { return s.photos == 32 && s.settled; }));
  window.click("Comparison");
  window.click("Measure held out");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.figures == 4; }));
  window.click("Measure all");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.figures == 32; }, 120));
}

}  // namespace
