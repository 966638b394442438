// A scene in blocks in the built program's window.
#include <gtest/gtest.h>

#include "tests/quality/town/town.h"
#include "tests/studio/window/window_run.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

class GlCity : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(town::write_town(folder_.path() / "town", {.cameras = 16, .width = 32, .height = 24}).ok());
    blocks({"plan", folder_.path() / "town", "-o", city_, "--block-count", "2", "-i", "20", "--eval"});
  }
  static void blocks(std::vector<std::string> words) {
    words.insert(words.begin(), {HIPSPLAT_PROGRAM, "--blocks"});
    words.push_back("--quiet");
    std::string said;
    ASSERT_EQ(test::run_program(words, {}, &said), 0) << said;
  }
  splat::test::TempFolder folder_;
  const fs::path city_ = folder_.path() / "city";
};

TEST_F(GlCity, BlocksAreFollowedAndOpened) {
  WindowRun run({city_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.blocks == 2 && s.splats > 0 && s.settled; }));
  EXPECT_EQ(run.state()->panels, "110");
  EXPECT_EQ(run.state()->part, -1);
  EXPECT_EQ(run.state()->photos, 16u);
  const size_t scaffold = run.state()->splats;
  blocks({"train", city_, "1"});
  ASSERT_TRUE(run.wait([](const auto& s) { return s.blocks_done == 1; }));
  const auto before = run.state()->position;
  run.click("Block 1");
  ASSERT_TRUE(run.wait([&](const auto& s) { return s.part == 1 && s.splats != scaffold && s.settled; }));
  EXPECT_EQ(run.state()->position, before) << "a part is seen from where the last one was";
  blocks({"all", city_});
  ASSERT_TRUE(run.wait([](const auto& s) { return s.blocks_done == 2; }));
  run.click("Whole");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.part == -2 && s.settled; }));
  EXPECT_EQ(run.state()->errors, 0);
  run.input("key ctrl+q");
  EXPECT_EQ(run.wait_for_end(), 0);
}

}  // namespace
