// The blocks of a scene trained from the window: to the end, stopped and gone on with, failing; as by --blocks all.
#include <gtest/gtest.h>

#include <fstream>

#include "app/jobs/blocks/block_state.h"
#include "studio/names.h"
#include "tests/quality/town/town.h"
#include "tests/studio/live_window.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/temp_folder.h"

namespace studio::test {

using namespace app::test;
namespace {

namespace fs = std::filesystem;
using studio::CityWork;
using studio::NoticeKind;

class BlocksInTheWindow : public testing::Test {
 protected:
  void plan(int iterations) const {
    ASSERT_TRUE(town::write_town(town_, {.cameras = 16, .width = 32, .height = 24}).ok());
    const Ran ran = run({"--blocks", "plan", town_, "-o", city_, "--block-count", "2", "-i", std::to_string(iterations),
                         "--scaffold-iterations", "20", "--eval", "--threads", "2"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    fs::copy(city_, other_, fs::copy_options::recursive);
  }
  bool open(LiveWindow& window) const {
    window.splats.reset();
    window.send(studio::OpenPath{city_});
    return window.wait([&] { return window.splats && window.city.blocks.size() == 2; });
  }
  void expect_as_by_the_command() const {
    ASSERT_EQ(run({"--blocks", "all", other_, "--threads", "2"}).code, 0);
    EXPECT_GT(text_of(city_ / "city.ply").size(), 10'000u);
    EXPECT_TRUE(text_of(city_ / "city.ply") == text_of(other_ / "city.ply"));
  }
  BlockState state(size_t block) const { return *read_block(*read_city(city_), block); }

  const splat::test::TempFolder folder_;
  const fs::path town_ = folder_.path() / "town", city_ = folder_.path() / "city", other_ = folder_.path() / "other";
};

TEST_F(BlocksInTheWindow, StoppedTheyGoOnToTheBytesOfTheCommand) {
  constexpr int kIterations = 10'000;
  ASSERT_NO_FATAL_FAILURE(plan(kIterations));
  LiveWindow window;
  ASSERT_TRUE(open(window)) << window.all_notices();
  EXPECT_EQ(window.city.work, CityWork::kNone);
  EXPECT_EQ(window.city.command, "hipsplat blocks all " + city_.string());
  window.send(studio::StartBlocks{city_});
  ASSERT_TRUE(window.wait([&] { return state(0).stage == BlockState::Stage::kRunning; })) << window.all_notices();
  ASSERT_TRUE(window.wait([&] { return window.city.work == CityWork::kTrains; })) << window.all_notices();
  window.send(studio::StopBlocks{});
  ASSERT_TRUE(window.wait([&] { return window.city.work == CityWork::kNone; })) << window.all_notices();
  EXPECT_TRUE(window.noticed("they can go on", NoticeKind::kInfo)) << window.all_notices();
  EXPECT_EQ(state(0).stage, BlockState::Stage::kStopped);
  EXPECT_LT(state(0).iteration, kIterations);
  EXPECT_EQ(state(1).stage, BlockState::Stage::kWaiting);

  window.send(studio::StartBlocks{city_});
  ASSERT_TRUE(window.wait([&] { return window.city.merges == 1; }, 120)) << window.all_notices();
  EXPECT_TRUE(window.city.merged);
  EXPECT_EQ(window.city.work, CityWork::kNone);
  EXPECT_EQ(window.city.blocks[1].stage, BlockState::Stage::kDone);
  EXPECT_TRUE(window.noticed("merged in", NoticeKind::kDone)) << window.all_notices();
  expect_as_by_the_command();
}

TEST_F(BlocksInTheWindow, OneThatFailsSaysWhyAndIsTrainedAgain) {
  ASSERT_NO_FATAL_FAILURE(plan(20));
  fs::create_directories(city_ / "blocks" / "000");
  std::ofstream(city_ / "blocks/000/block.json") << "{";
  LiveWindow window;
  ASSERT_TRUE(open(window)) << window.all_notices();
  window.send(studio::StartBlocks{city_});
  const auto error = [&] {
    return std::find_if(window.notices.begin(), window.notices.end(),
                        [](const studio::Notice& notice) { return notice.kind == NoticeKind::kError; });
  };
  const auto ended = [&] {
    return error() != window.notices.end() && window.city.work == CityWork::kNone &&
           window.city.blocks[1].stage == BlockState::Stage::kDone;  // it does not wait for the other
  };
  ASSERT_TRUE(window.wait(ended, 60)) << window.all_notices();
  EXPECT_EQ(error()->text.rfind("1 of 2 blocks could not be trained: block 0: ", 0), 0u) << error()->text;
  EXPECT_EQ(error()->mended_by, "Train the blocks");
  EXPECT_EQ(window.city.blocks[0].stage, BlockState::Stage::kFailed);
  EXPECT_FALSE(window.city.merged);
  fs::remove_all(city_ / "blocks" / "000");
  window.send(studio::StartBlocks{city_});
  ASSERT_TRUE(window.wait([&] { return window.city.merges == 1; }, 60)) << window.all_notices();
  expect_as_by_the_command();
}

// As a run ends: with a checkpoint. Many iterations: an idle machine takes ten thousand between two looks at the files.
TEST_F(BlocksInTheWindow, AnotherSceneAndTheEndStopThem) {
  constexpr int kIterations = 2'000'000;
  ASSERT_NO_FATAL_FAILURE(plan(kIterations));
  const auto running = [](LiveWindow& window, const fs::path& city) {
    window.send(studio::StartBlocks{city});
    return window.wait([&] { return window.city.blocks[0].stage == BlockState::Stage::kRunning; });
  };
  {
    LiveWindow window;
    ASSERT_TRUE(open(window)) << window.all_notices();
    ASSERT_TRUE(running(window, city_)) << window.all_notices();
    window.send(studio::OpenPath{town_});
    ASSERT_TRUE(window.wait([&] { return state(0).stage == BlockState::Stage::kStopped; })) << window.all_notices();
    ASSERT_TRUE(window.wait([&] { return window.noticed("they can go on", NoticeKind::kInfo); }));
    ASSERT_TRUE(open(window)) << window.all_notices();
    ASSERT_TRUE(running(window, city_)) << window.all_notices();
  }
  EXPECT_EQ(state(0).stage, BlockState::Stage::kStopped);
  EXPECT_LT(state(0).iteration, kIterations);
}

}  // namespace
}  // namespace studio::test
