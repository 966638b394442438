// Photos beside the splats, over the whole scene of the built program.
#include <gtest/gtest.h>

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

  window.input("key bracketright");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.compared == 1 && s.psnr > 10; }));
  window.input("key Escape");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.compared == -1; }));
}

TEST_F(GlCompare, EveryPhotoIsMeasured) {
  WindowRun window({run()}, {}, test::settings_with_layout(380));
  SKIP_WITHOUT_DISPLAY(window);
  ASSERT_TRUE(window.wait([](const auto& s) { return s.photos == 32 && s.settled; }));
  window.click("Scene");  // folded, so that what follows is in sight
  window.click("Held-out photo###compare");
  window.click("Measure held out");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.figures == 4; }));
  window.click("Measure all");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.figures == 32; }, 120));
}

}  // namespace
