// Results of training as the window opens them: with the cameras, and the photos where they still are.
#include "app/jobs/scene/trained_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/jobs/input/recognise.h"
#include "app/jobs/input/run_folder.h"
#include "app/jobs/training/inria_layout.h"
#include "io/cameras_json.h"
#include "io/io.h"
#include "studio/documents/opening.h"
#include "studio/documents/training_choices.h"
#include "tests/studio/live_window.h"
#include "tests/support/scene_on_disk.h"

namespace studio::test {

using namespace app::test;
namespace {

namespace fs = std::filesystem;
using studio::NoticeKind;

constexpr int kTestEvery = 4;

// A scene, and what a short run with every 4th photo held out has left of it.
class TrainedScenes : public testing::Test {
 protected:
  void SetUp() override {
    studio::TrainingChoices c;
    c.train.iterations = 30;
    c.output = run_;
    c.dataset.test_every = kTestEvery;
    c.device.backend = "cpu";
    c.train.background = splat::BackgroundMode::kColour, c.train.background_colour = {1, 1, 1};
    auto options = options_of(scene_.dataset(), c);
    ASSERT_TRUE(options.ok()) << options.error().message;
    options->device.threads = 1;
    ASSERT_TRUE(run_train(*options).ok());
  }

  testing::AssertionResult opened(const fs::path& path) {
    window_.splats.reset();
    window_.send(studio::OpenPath{path});
    if (window_.wait([&] { return window_.splats.has_value(); })) return testing::AssertionSuccess();
    return testing::AssertionFailure() << window_.all_notices();
  }

  std::vector<float> packed() {  // centres and radii
    window_.packed.reset();
    window_.send(studio::WantPackedModel{});
    return window_.wait([&] { return window_.packed.has_value(); }) ? window_.packed->centres_radii
                                                                    : std::vector<float>();
  }

  std::vector<std::string> held_out() const {
    std::vector<std::string> names;
    for (const viewer::PhotoCamera& camera : window_.splats->cameras)
      if (camera.held_out) names.push_back(camera.name);
    return names;
  }

  const SceneOnDisk scene_;
  const fs::path run_ = scene_.output("run");
  LiveWindow window_;
};

TEST_F(TrainedScenes, AFolderOpensWithItsCamerasAndPhotos) {
  ASSERT_TRUE(opened(run_));
  const studio::OpenedSplats& splats = *window_.splats;
  ASSERT_EQ(splats.cameras.size(), 10u);
  EXPECT_TRUE(splats.has_photos);
  EXPECT_EQ(splats.up.source, viewer::UpSource::kFile) << "the run has written its cameras' mean into it";
  EXPECT_EQ(splats.background, (std::array<float, 3>{1, 1, 1})) << "as it was trained";
  for (size_t i = 0; i < splats.cameras.size(); ++i)
    EXPECT_EQ(splats.cameras[i].held_out, i % kTestEvery == 0) << "as the run did, not every 8th";
  window_.send(studio::WantPhoto{3, 20});
  ASSERT_TRUE(window_.wait([&] { return window_.photo.has_value(); }));
  EXPECT_EQ(window_.photo->view, 3);
  ASSERT_TRUE(window_.wait([&] { return window_.thumbnails.size() == 10; }));
  EXPECT_EQ(splats.opacity.counts.size(), 10u);
  EXPECT_FALSE(splats.size.counts.empty());
}

TEST_F(TrainedScenes, AHeldOutPhotoComparesAsTheRunMeasuredIt) {
  ASSERT_TRUE(opened(run_));
  window_.send(studio::WantComparison{4});
  ASSERT_TRUE(window_.wait([&] { return window_.comparison.has_value(); })) << window_.all_notices();
  const auto metrics = nlohmann::json::parse(text_of(run_ / "metrics.json"));
  const auto& views = metrics["views"];
  const auto measured = std::find_if(views.begin(), views.end(),
                                     [&](const auto& view) { return view["name"] == window_.splats->cameras[4].name; });
  ASSERT_NE(measured, views.end());
  EXPECT_NEAR(window_.comparison->psnr, (*measured)["psnr"].get<double>(), 0.05) << "the background counts as well";
}

TEST_F(TrainedScenes, ACheckpointOpensLikeTheSplatsBesideIt) {
  ASSERT_TRUE(opened(run_));
  const std::vector<float> centres = packed();
  const fs::path checkpoint = run_ / "checkpoints/iteration_30.checkpoint";
  ASSERT_TRUE(opened(checkpoint));
  EXPECT_EQ(packed(), centres);
  EXPECT_NE(window_.splats->format.find("checkpoint"), std::string::npos);
  EXPECT_EQ(window_.splats->up.source, viewer::UpSource::kCameras);
  EXPECT_EQ(window_.splats->cameras.size(), 10u);
  EXPECT_TRUE(window_.splats->has_photos);
  fs::remove_all(run_ / "point_cloud");
  EXPECT_EQ(recognise(run_).path, checkpoint) << "a folder without splats is its newest checkpoint";

  std::string damaged = text_of(checkpoint);
  damaged[damaged.size() / 2] ^= 1;
  scene_.write("damaged.checkpoint", damaged);
  window_.send(studio::OpenPath{fs::path(scene_.dataset()) / "damaged.checkpoint"});
  EXPECT_TRUE(window_.wait([&] { return window_.noticed("damaged.checkpoint", NoticeKind::kError); }));
}

TEST_F(TrainedScenes, WithoutThePhotosTheCamerasAreStillKnown) {
  fs::rename(scene_.dataset(), scene_.output("elsewhere"));
  ASSERT_TRUE(opened(run_));
  EXPECT_EQ(window_.splats->cameras.size(), 10u);
  EXPECT_FALSE(window_.splats->has_photos);
  EXPECT_TRUE(window_.noticed("cannot be shown", NoticeKind::kWarning)) << window_.all_notices();
  std::vector<std::string> expected;
  for (size_t i = 0; i < 10; i += kTestEvery) expected.push_back(window_.splats->cameras[i].name);
  EXPECT_EQ(held_out(), expected) << "those that metrics.json has measured";
}

TEST_F(TrainedScenes, RefinedCamerasAreShownWhereTrainingMovedThem) {
  auto config = nlohmann::json::parse(text_of(run_ / "config.json"));
  config["poses"] = "on";
  std::ofstream(run_ / "config.json") << config.dump();
  auto json = nlohmann::json::parse(text_of(run_ / "cameras.json"));
  for (size_t i = 2; i < 5; ++i) json[i]["position"][0] = json[i]["position"][0].get<double>() + 0.02;
  std::ofstream(run_ / "cameras.json") << json.dump();
  ASSERT_TRUE(opened(run_));
  EXPECT_TRUE(window_.splats->has_photos);
  EXPECT_NEAR(window_.splats->cameras[3].view.cam_from_world.origin_in_source()[0],
              json[3]["position"][0].get<double>(), 1e-9);
}

TEST_F(TrainedScenes, OtherPhotosUnderTheSamePathAreNotShown) {
  auto views = io::read_cameras_json(run_ / "cameras.json");
  ASSERT_TRUE(views.ok());
  auto json = nlohmann::json::parse(text_of(run_ / "cameras.json"));
  for (auto& camera : json) camera["position"][0] = camera["position"][0].get<double>() * 3 + 20;
  std::ofstream(run_ / "cameras.json") << json.dump();
  ASSERT_TRUE(opened(run_));
  EXPECT_EQ(window_.splats->cameras.size(), 10u);
  EXPECT_FALSE(window_.splats->has_photos);
  EXPECT_TRUE(window_.noticed("holds other cameras", NoticeKind::kWarning)) << window_.all_notices();
}

TEST_F(TrainedScenes, BrokenCamerasCostOnlyThemselves) {
  std::ofstream(run_ / "cameras.json") << "[{\"id\": 0}]";
  ASSERT_TRUE(opened(run_));
  EXPECT_TRUE(window_.splats->cameras.empty());
  EXPECT_TRUE(window_.noticed("cameras.json", NoticeKind::kWarning)) << window_.all_notices();
}

TEST_F(TrainedScenes, AFileAloneOrInAStrangePlaceHasNone) {
  const fs::path ply = run_ / "point_cloud/iteration_30/point_cloud.ply";
  fs::create_directories(scene_.folder() / "run/exports");
  fs::copy_file(ply, scene_.folder() / "run/exports/scene.ply");
  EXPECT_TRUE(run_folder_of(scene_.folder() / "run/exports/scene.ply").empty());
  EXPECT_EQ(run_folder_of(ply), fs::absolute(run_).lexically_normal());
  fs::copy_file(ply, run_ / "scene.ply");
  EXPECT_EQ(run_folder_of(run_ / "scene.ply"), fs::absolute(run_).lexically_normal()) << "beside cameras.json";
  ASSERT_TRUE(opened(scene_.folder() / "run/exports/scene.ply"));
  EXPECT_TRUE(window_.splats->cameras.empty());
}

TEST_F(TrainedScenes, INRIAsNamesWithoutEndingsFindTheirPhotos) {
  auto json = nlohmann::json::parse(text_of(run_ / "cameras.json"));
  for (auto& camera : json) {
    camera["img_name"] = fs::path(camera["img_name"].get<std::string>()).stem().string();
    camera.erase("cx"), camera.erase("cy");
  }
  std::ofstream(run_ / "cameras.json") << json.dump();
  fs::remove(run_ / "config.json");
  std::ofstream(run_ / "cfg_args") << "Namespace(sh_degree=3, source_path='" << fs::absolute(scene_.dataset()).string()
                                   << "', model_path='/out', images='images', resolution=-1, white_background=False, "
                                      "data_device='cuda', eval=True)";
  ASSERT_TRUE(opened(run_));
  EXPECT_TRUE(window_.splats->has_photos) << window_.all_notices();
  EXPECT_EQ(window_.splats->background, (std::array<float, 3>{0, 0, 0}));
  EXPECT_TRUE(window_.splats->cameras[0].held_out);
  EXPECT_TRUE(window_.splats->cameras[8].held_out);
  EXPECT_FALSE(window_.splats->cameras[4].held_out) << "every 8th, as INRIA does";
}

TEST(CfgArgs, ReadsWhatItWritesAndRefusesTheRest) {
  Options options;
  options.input = "/data/it's \\ here, (really)";
  options.output = "/out";
  options.dataset.resolution = 4;
  options.dataset.images_folder = "images_4";
  options.train.background = splat::BackgroundMode::kWhite;
  const auto args = parse_cfg_args(cfg_args_text(options, {}));
  ASSERT_TRUE(args);
  EXPECT_EQ(args->source, options.input);
  EXPECT_EQ(args->images, "images_4");
  EXPECT_EQ(args->resolution, 4);
  EXPECT_FALSE(args->eval);
  EXPECT_TRUE(args->white_background);
  for (const char* bad :
       {"", "Namespace(", "Namespace(eval=True)", "Namespace(source_path='/a", "{\"source_path\": 1}"})
    EXPECT_FALSE(parse_cfg_args(bad)) << bad;
}

}  // namespace
}  // namespace studio::test
