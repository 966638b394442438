// A scene in blocks in the built program's window.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/quality/town/town.h"
#include "tests/studio/window/window_run.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

class GlTown : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(town::write_town(town_, {.cameras = 16, .width = 32, .height = 24}).ok()); }
  static void blocks(std::vector<std::string> words) {
    words.insert(words.begin(), {HIPSPLAT_PROGRAM, "--blocks"});
    words.push_back("--quiet");
    std::string said;
    ASSERT_EQ(test::run_program(words, {}, &said), 0) << said;
  }
  static std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  splat::test::TempFolder folder_;
  const fs::path town_ = folder_.path() / "town", city_ = folder_.path() / "town_city";
};

class GlCity : public GlTown {
 protected:
  void SetUp() override {
    GlTown::SetUp();
    blocks({"plan", town_, "-o", city_, "--block-count", "2", "-i", "20", "--eval"});
  }
};

// By the dialog, at a place where no plan can be, then with the place that it suggests.
TEST_F(GlTown, IsPlannedInTheWindow) {
  WindowRun run({town_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 16 && s.settled; }));
  const auto type = [&](const std::string& field, const std::string& text) {
    run.click(field);
    run.input("key ctrl+a type --delay 60 " + text);
  };
  run.input("key ctrl+shift+p");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.typed == "="; }));
  run.input("type --delay 60 'train in blocks'");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.typed == "=train_in_blocks"; }));
  run.input("key Return");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.blocks_forecast; })) << run.trace_text();
  type("##block-memory", "4G");
  type("##block_iterations", "20");
  type("##city", folder_.path().string());
  ASSERT_TRUE(run.wait([](const auto& s) { return s.blocks_forecast; })) << run.trace_text();
  run.click("Plan");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.errors == 1; })) << run.trace_text();
  run.click("Train in blocks...###error_mended");  // all is as it was, but for what is typed now
  type("##city", city_.string());
  ASSERT_TRUE(run.wait([](const auto& s) { return s.blocks_forecast; })) << run.trace_text();
  run.click("Plan");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.blocks == 1 && s.splats > 0 && s.settled; }, 180));
  EXPECT_EQ(run.state()->part, -1);
  EXPECT_EQ(run.state()->errors, 0);
  const fs::path other = folder_.path() / "other";
  blocks({"plan", town_, "-o", other, "--block-memory", "4G", "-i", "20", "--eval"});
  EXPECT_EQ(text_of(city_ / "city.json"), text_of(other / "city.json"));
}

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

// Through the panel: Start, Stop, Continue, and what came of it is shown by itself.
TEST_F(GlTown, BlocksAreTrainedStoppedAndGoneOnWithInTheWindow) {
  const fs::path other = folder_.path() / "other";
  blocks({"plan", town_, "-o", city_, "--block-count", "2", "-i", "20000", "--scaffold-iterations", "20", "--eval"});
  fs::copy(city_, other, fs::copy_options::recursive);
  {
    WindowRun run({city_.string()});
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait([](const auto& s) { return s.blocks == 2 && s.splats > 0 && s.settled; }));
    EXPECT_FALSE(run.state()->blocks_train);
    run.click("Start");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.blocks_train; }));
    run.click("Stop");
    ASSERT_TRUE(run.wait([](const auto& s) { return !s.blocks_train; })) << run.trace_text();
    EXPECT_LT(run.state()->blocks_done, 2u);
    EXPECT_FALSE(fs::exists(city_ / "city.ply"));
    run.click("Continue");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.blocks_train; }));
    // As of a run: whoever closes the window is asked first, and may think better of it.
    run.input("key ctrl+q");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.asks; }));
    run.click("Keep training");
    ASSERT_TRUE(run.wait([](const auto& s) { return !s.asks; })) << run.trace_text();
    run.finish_frame();
    EXPECT_TRUE(run.state()->blocks_train) << "nothing was stopped";
    run.input("key ctrl+q");
    ASSERT_TRUE(run.wait([](const auto& s) { return s.asks; })) << "nor closed";
    run.click("Save and close");
    EXPECT_EQ(run.wait_for_end(), 0);
  }
  EXPECT_FALSE(fs::exists(city_ / "city.ply"));
  WindowRun run({city_.string()});
  ASSERT_TRUE(run.wait([](const auto& s) { return s.blocks == 2 && s.splats > 0 && s.settled; }));
  run.click("Continue");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.part == -2 && !s.blocks_train && s.settled; }, 300))
      << run.trace_text();
  EXPECT_EQ(run.state()->blocks_done, 2u);
  EXPECT_EQ(run.state()->errors, 0);
  blocks({"all", other});
  EXPECT_TRUE(text_of(city_ / "city.ply") == text_of(other / "city.ply"));
}

}  // namespace
