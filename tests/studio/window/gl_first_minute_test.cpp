// The first minute of a new user, in a home where nothing is yet: demo, train, look, close, start again, go on.
#include <gtest/gtest.h>

#include <cstdlib>

#include "io/image_file.h"
#include "tests/studio/window/window_run.h"
#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

constexpr int kRunning = 2;  // studio::RunStatus

class GlFirstMinute : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(home_); }

  WindowRun::Environment at_home() const {
    return {{"HOME", home_.string()},
            {"XDG_CONFIG_HOME", (home_ / ".config").string()},
            {"XDG_CACHE_HOME", (home_ / ".cache").string()},
            {"XDG_STATE_HOME", ""},
            {"XDG_DATA_HOME", ""}};
  }
  static void close(WindowRun& run) {
    run.input("key ctrl+q sleep 0.5 key Return");
    EXPECT_EQ(run.wait_for_end(120), 0);
  }

  const splat::test::TempFolder folder_;
  const fs::path home_ = folder_.path() / "home";
};

// The mean difference of neighbours in a square, levels: little where a picture was enlarged.
double detail(const splat::Image8& image, int x, int y, int side) {
  double sum = 0;
  for (int row = y; row < y + side; ++row)
    for (int column = x; column < x + side; ++column) {
      const size_t at = (size_t(row) * size_t(image.width) + size_t(column)) * size_t(image.channels);
      sum += std::abs(int(image.pixels[at]) - int(image.pixels[at + size_t(image.channels)]));
    }
  return sum / side / side;
}

TEST_F(GlFirstMinute, TheDemosPictureIsAsSharpAsItsPhoto) {
  constexpr int kSide = 300;  // px, about the middle of the picture
  WindowRun run({}, at_home());
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([&](const auto&) {
    return run.place_of("Try the demo") && run.trace_text().find("\"recent\":1") != std::string::npos;
  }));
  run.finish_frame();
  const auto photo = io::read_image(test_paths::source() / "assets/demo/images/view_000.jpg");
  ASSERT_TRUE(photo.ok());
  const auto [x, y] = *run.place_of("Try the demo");
  EXPECT_GT(detail(run.picture(), x - kSide / 2, y - 20 - kSide / 2, kSide),
            0.7 * detail(*photo, (photo->width - kSide) / 2, (photo->height - kSide) / 2, kSide));
}

TEST_F(GlFirstMinute, TheDemoIsTrainedLookedAtClosedAndGoesOnFromWhatIsOfferedThen) {
  const fs::path output = home_ / "hipsplat/demo_splats";
  int stopped_at = 0;
  {
    WindowRun run({}, at_home());
    SKIP_WITHOUT_DISPLAY(run);
    run.click("Try the demo");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32; }));
    run.input("sleep 1 key ctrl+t");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kRunning && s.iteration >= 5; }, 120));
    const auto before = run.state()->forward;
    const int x = run.state()->x + run.state()->width / 2, y = run.state()->y + run.state()->height / 2;
    run.drag(1, x, y, x + 150, y + 30);
    EXPECT_TRUE(run.wait([&](const auto& s) { return s.forward != before && s.errors == 0; }));
    close(run);
    EXPECT_TRUE(fs::exists(output / "checkpoints"));
  }
  {
    WindowRun run({}, at_home());
    run.click("recent demo");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32 && s.splats == 0; }));
    run.click("Start anew");  // into a folder of its own: the stopped one stays
    ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kRunning && s.iteration >= 1; }, 120));
    EXPECT_TRUE(fs::exists(home_ / "hipsplat/demo_splats_2"));
    close(run);
    fs::remove_all(home_ / "hipsplat/demo_splats_2");
  }
  {
    WindowRun run({}, at_home());
    run.click("recent demo");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32; }));
    for (int tenths = 0; tenths < 200 && !run.place_of("Start anew"); ++tenths) run.input("sleep 0.1");
    ASSERT_TRUE(run.place_of("Start anew")) << "beside Continue";
    run.input("key ctrl+t");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kRunning && s.iteration >= 5; }, 120));
    EXPECT_FALSE(fs::exists(home_ / "hipsplat/demo_splats_2"));
    run.click("Stop");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.training == 6; }, 120));
    stopped_at = run.state()->iteration;
    run.click("All runs###notice_runs");
    run.input("sleep 1");
    run.finish_frame();
    EXPECT_NE(run.trace_text().find("\"runs\":1,"), std::string::npos) << "the run on the screen";
    close(run);
  }
  WindowRun run({}, at_home());
  run.click("recent demo_splats");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.splats > 0 && s.panels == "110"; }));
  const std::string state = "\"opened_run\":\"stopped at " + std::to_string(stopped_at) + " of ";
  for (int tenths = 0; tenths < 100 && run.trace_text().find(state) == std::string::npos; ++tenths)
    run.input("sleep 0.1");
  EXPECT_NE(run.trace_text().find(state), std::string::npos) << "the run's own panel";
  for (const char* button : {"Open report", "Open folder", "All runs...", "Mesh..."})
    EXPECT_TRUE(run.wait([&](const auto&) { return bool(run.place_of(button)); }, 10)) << button;
  run.input("sleep 1 key ctrl+t");
  ASSERT_TRUE(run.wait([&](const auto& s) { return s.training == kRunning && s.iteration > stopped_at; }, 120));
  EXPECT_EQ(run.state()->errors, 0);
  close(run);
}

}  // namespace
