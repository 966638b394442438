// A scene in blocks in the window: how far its blocks are, and the splats of each.
#include "studio/blocks/city_scene.h"

#include <gtest/gtest.h>

#include <fstream>

#include "app/jobs/blocks/block_state.h"
#include "app/jobs/input/recognise.h"
#include "app/jobs/scene/scene_picture.h"
#include "io/io.h"
#include "tests/quality/town/town.h"
#include "tests/studio/live_window.h"
#include "tests/support/program.h"
#include "tests/support/temp_folder.h"

namespace studio::test {

using namespace app::test;
namespace {

namespace fs = std::filesystem;

class CityInTheWindow : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(town::write_town(folder_.path() / "town", {.cameras = 16, .width = 32, .height = 24}).ok());
    const Ran ran = run({"--blocks", "plan", folder_.path() / "town", "-o", city_, "--block-count", "2", "-i", "20",
                         "--eval", "--threads", "2"});
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  void train(const char* block) const { ASSERT_EQ(run({"--blocks", "train", city_, block, "--threads", "2"}).code, 0); }
  uint64_t splats_of(const fs::path& file) const { return io::read_splat_file(file)->gaussians.size(); }

  const splat::test::TempFolder folder_;
  const fs::path city_ = folder_.path() / "city";
};

TEST_F(CityInTheWindow, HasAPictureFromItsScaffoldOn) {
  const auto picture = picture_of_scene(city_, 160, 2);
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->width, 160);
}

TEST_F(CityInTheWindow, IsFollowedWhileOthersTrainIt) {
  EXPECT_EQ(recognise(city_).kind, PathKind::kCity);
  LiveWindow window;
  window.send(studio::OpenPath{city_});
  ASSERT_TRUE(window.wait([&] { return window.splats && window.city.blocks.size() == 2; })) << window.all_notices();
  EXPECT_EQ(window.city.path, city_);
  ASSERT_EQ(window.city.boxes.size(), 2u);
  EXPECT_EQ(window.city.shown, studio::kCityScaffold);
  EXPECT_EQ(window.splats->cameras.size(), 16u);
  EXPECT_TRUE(window.splats->has_photos);
  EXPECT_FALSE(window.splats->continuation.has_value()) << "a part is not trained on by itself";
  EXPECT_EQ(window.city.blocks[0].stage, BlockState::Stage::kWaiting);
  EXPECT_FALSE(window.city.blocks[0].can_open);
  train("1");
  ASSERT_TRUE(window.wait([&] { return window.city.blocks[1].stage == BlockState::Stage::kDone; }));
  const BlockState state = *read_block(*read_city(city_), 1);
  const studio::CityBlock& block = window.city.blocks[1];
  EXPECT_EQ(block.iteration, 20);
  EXPECT_GT(block.splats, 0u);
  EXPECT_TRUE(static_cast<const BlockState&>(block) == state);

  window.splats.reset();
  window.send(studio::OpenCityPart{city_, 1});
  ASSERT_TRUE(window.wait([&] { return window.splats && window.city.shown == 1; })) << window.all_notices();
  EXPECT_EQ(window.splats->rows, state.splats);
  window.splats.reset();
  window.send(studio::OpenCityPart{city_, 0});
  ASSERT_TRUE(window.wait([&] { return window.noticed("block 0 has no splats yet", studio::NoticeKind::kWarning); }));
  std::ofstream(city_ / "blocks/001/block.json") << "{";
  ASSERT_TRUE(window.wait([&] { return window.city.blocks[1].stage == BlockState::Stage::kFailed; }));
  EXPECT_NE(window.city.blocks[1].why.find("block.json"), std::string::npos) << window.city.blocks[1].why;
}

TEST_F(CityInTheWindow, MergedItOpensAsTheWhole) {
  ASSERT_EQ(run({"--blocks", "all", city_, "--threads", "2"}).code, 0);
  LiveWindow window;
  window.send(studio::OpenPath{city_});
  ASSERT_TRUE(window.wait([&] { return window.splats && window.city.merged; })) << window.all_notices();
  EXPECT_EQ(window.city.shown, kCityMerged);
  EXPECT_EQ(window.splats->rows, splats_of(city_ / "city.ply"));
  window.splats.reset();
  window.send(studio::OpenPath{city_ / "city.ply"});
  ASSERT_TRUE(window.wait([&] { return window.splats && window.city.path.empty(); })) << "a file is no scene in blocks";
  EXPECT_EQ(run({"--info", city_, "--json"}).json_lines().at(0)["splats"], window.splats->rows);
}

TEST_F(CityInTheWindow, APlanThatIsNotCompleteSaysSo) {
  fs::remove(city_ / "city.json");
  fs::create_directories(city_);
  std::ofstream(city_ / "city.json") << R"({"version": 9})";
  LiveWindow window;
  window.send(studio::OpenPath{city_});
  EXPECT_TRUE(window.wait([&] { return window.noticed("later hipsplat", studio::NoticeKind::kError); }));
  expect_refused(run({"--info", city_}), 2, {"not merged yet"});
}

// All cameras that stand in a cell are in its box, and the boxes lie beside each other.
TEST_F(CityInTheWindow, BoxesHoldTheCamerasOfTheirCells) {
  const auto city = read_city(city_);
  ASSERT_TRUE(city.ok());
  splat::ThreadPool pool(1);
  io::ReadWatch watch;
  const auto opened = open_city_part(*city, studio::kCityScaffold, pool, watch);
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  const auto boxes = boxes_of(*city, opened->for_window);
  ASSERT_EQ(boxes.size(), 2u);
  size_t inside[2] = {0, 0};
  for (const viewer::PhotoCamera& camera : opened->for_window.cameras) {
    const auto at = camera.view.cam_from_world.origin_in_source();
    for (size_t b = 0; b < 2; ++b) {
      bool in = true;
      for (const size_t axis : {size_t(0), size_t(1)}) {
        const auto place = [&](const viewer::Vec3& p) { return city->ground.at(viewer::array3(p))[axis]; };
        in = in && city->ground.at(at)[axis] >= place(boxes[b].floor[0]) - 1e-9 &&
             city->ground.at(at)[axis] <= place(boxes[b].floor[2]) + 1e-9;
      }
      const double height = city->ground.height(at);
      in = in && height >= city->ground.height(viewer::array3(boxes[b].floor[1])) - 1e-9 &&
           height <= city->ground.height(viewer::array3(boxes[b].ceiling[3])) + 1e-9;
      inside[b] += in;
    }
  }
  EXPECT_EQ(inside[0] + inside[1], 16u);
  EXPECT_GT(inside[0], 5u);
  EXPECT_GT(inside[1], 5u);
}

}  // namespace
}  // namespace studio::test
