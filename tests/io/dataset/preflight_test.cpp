#include "io/dataset/preflight.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/dataset/load_dataset.h"
#include "tests/io/dataset/small_scene.h"

namespace {

using splat::test::any_mentions, splat::test::SmallScene, splat::test::wavy_picture;

std::vector<std::string> many_names() {
  std::vector<std::string> names;
  for (int i = 0; i < 30; ++i) names.push_back("p" + std::to_string(10 + i) + ".png");
  return names;
}

io::Preflight preflight_of(const SmallScene& scene, const io::PreflightOptions& preflight_options) {
  io::DatasetOptions options;
  options.eval = true;
  const auto dataset = io::load_dataset(scene.path(), options);
  EXPECT_TRUE(dataset.ok()) << dataset.error().message;
  return io::make_preflight(*dataset, preflight_options);
}

TEST(Preflight, SaysWhatIsThereAndWhatWillBeDone) {
  SmallScene scene(many_names(), "OPENCV 64 48 60 60 32 24 0.05 -0.02 0 0");
  for (int i = 0; i < 16; ++i) scene.write_photo("p" + std::to_string(10 + i) + ".png", wavy_picture(64, 48, 3));
  scene.write_photo("extra.png", wavy_picture(8, 8, 3));
  const io::Preflight preflight = preflight_of(scene, {1000, 50, 7, 0});
  EXPECT_EQ(preflight.registered, 30u);
  EXPECT_EQ(preflight.used, 16u);
  EXPECT_EQ(preflight.missing.size(), 14u);
  EXPECT_EQ(preflight.extra, std::vector<std::string>{"extra.png"});
  EXPECT_EQ(preflight.held_out, (std::vector<std::string>{"p10.png", "p18.png"}));
  EXPECT_EQ(preflight.training, 14u);
  EXPECT_EQ(preflight.points, 2u);
  ASSERT_EQ(preflight.cameras.size(), 1u);
  EXPECT_EQ(preflight.cameras[0].images, 16u);
  EXPECT_TRUE(any_mentions({preflight.cameras[0].plan}, "OPENCV 64x48, fx "));
  EXPECT_TRUE(any_mentions({preflight.cameras[0].plan}, "undistorted to a pinhole 64x48"));
  EXPECT_EQ(preflight.image_bytes, size_t(16 * 64 * 48 * 4));
  EXPECT_EQ(preflight.splat_bytes_start, 2000u);
  EXPECT_EQ(preflight.splat_bytes_max, 50000u);
  EXPECT_EQ(preflight.total_bytes, preflight.image_bytes + 50007);

  const std::vector<std::string> lines = preflight_lines(preflight);
  EXPECT_TRUE(any_mentions(lines, "30 registered, 16 used, 14 missing, 1 on disk without a pose"));
  EXPECT_TRUE(any_mentions(lines, "p35.png and 4 more"));  // ten of the missing ones
  EXPECT_FALSE(any_mentions(lines, "p36.png"));
  EXPECT_TRUE(any_mentions(lines, "14 photos to train on, 2 held out"));
}

TEST(Preflight, OnePhotoIsOnePhoto) {
  SmallScene scene({"a.png", "b.png", "c.png"});
  for (const char* name : {"a.png", "b.png"}) scene.write_photo(name, wavy_picture(64, 48, 3));
  const std::vector<std::string> lines = io::preflight_lines(preflight_of(scene, {100, 0, 0, 0}));
  EXPECT_TRUE(any_mentions(lines, "1 photo to train on, 1 held out"));
  EXPECT_TRUE(any_mentions(lines, "1 photo of the reconstruction is not on disk and left out"));
}

TEST(Preflight, JsonHasTheAgreedFields) {
  SmallScene scene({"a.png", "b.png"});
  scene.write_photos();
  const nlohmann::json json = preflight_json(preflight_of(scene, {100, 0, 0, 0}));
  EXPECT_EQ(json["format"], "COLMAP text");
  EXPECT_EQ(json["images"]["registered"], 2);
  EXPECT_EQ(json["images"]["missing"], nlohmann::json::array());
  EXPECT_EQ(json["images"]["extra"], nlohmann::json::array());
  EXPECT_EQ(json["cameras"][0]["model"], "PINHOLE");
  EXPECT_EQ(json["cameras"][0]["images"], 2);
  EXPECT_EQ(json["cameras"][0]["training"]["width"], 64);
  EXPECT_EQ(json["points"], 2);
  EXPECT_EQ(json["held_out"], nlohmann::json::array({"a.png"}));
  EXPECT_EQ(json["bytes"]["images"], 2 * 64 * 48 * 3);
  EXPECT_EQ(json["bytes"]["splats_start"], 200);
  EXPECT_TRUE(json["warnings"].is_array());
}

TEST(Preflight, WhatIsNoWarningIsANote) {
  SmallScene scene({"a.png", "b.png", "c.png"}, "OPENCV 64 48 60 60 32 24 0.05 -0.02 0 0");
  scene.write_photos();
  const io::Preflight whole = preflight_of(scene, {});
  EXPECT_TRUE(whole.warnings.empty());
  EXPECT_TRUE(any_mentions(preflight_lines(whole), "note      3 photos: OPENCV, undistorted to a pinhole"));
  EXPECT_EQ(preflight_json(whole)["notes"].size(), 1u);
  std::filesystem::remove(scene.path() / "images/b.png");
  const io::Preflight lacking = preflight_of(scene, {});
  EXPECT_EQ(lacking.notes.size(), 1u);
  EXPECT_TRUE(any_mentions(preflight_lines(lacking), "warning   1 photo of the reconstruction is not on disk"));
}

TEST(Preflight, WithoutPointsTheRandomSplatsAreCounted) {
  SmallScene scene({"a.png", "b.png"});
  scene.write_photos();
  std::filesystem::remove(scene.path() / "sparse/0/points3D.txt");
  io::PreflightOptions options;
  options.bytes_per_splat = 100;
  options.random_splats = 5000;
  const io::Preflight preflight = preflight_of(scene, options);
  EXPECT_EQ(preflight.points, 0u);
  EXPECT_EQ(preflight.splat_bytes_start, 500'000u);
  EXPECT_EQ(preflight.total_bytes, preflight.image_bytes + 500'000u);
}

TEST(Preflight, MatchingPhotosIsOverBeforeThereAreSplats) {
  SmallScene scene({"a.png", "b.png"});
  scene.write_photos();
  io::PreflightOptions options;
  options.bytes_per_splat = 100;
  options.matching_bytes = 50;
  EXPECT_EQ(preflight_of(scene, options).total_bytes, preflight_of(scene, {100}).total_bytes);
  options.matching_bytes = 900'000;
  const io::Preflight preflight = preflight_of(scene, options);
  EXPECT_EQ(preflight.total_bytes, preflight.image_bytes + 900'000u);
}

TEST(Preflight, WarnsWhereMemoryIsShort) {
  SmallScene scene({"a.png", "b.png"});
  scene.write_photos();
  EXPECT_FALSE(any_mentions(preflight_of(scene, {1000, 1000, 0, 1u << 30}).warnings, "this machine has"));
  EXPECT_TRUE(any_mentions(preflight_of(scene, {1u << 20, 2000, 0, 1u << 30}).warnings, "this machine has"));
}

TEST(Preflight, UndistortedCamerasAreUsedAsTheyAre) {
  SmallScene scene({"a.png", "b.png"});
  scene.write_photos();
  EXPECT_EQ(preflight_of(scene, {}).cameras[0].plan, "PINHOLE 64x48, fx 60.0, used as it is");
}

TEST(Preflight, EverySizeStandsBesideItsOwnFocalLength) {
  const auto plan = [](const std::string& camera, int resolution) {
    SmallScene scene({"a.png"}, camera);
    scene.write_photos();
    io::DatasetOptions options;
    options.resolution = resolution;
    const auto dataset = io::load_dataset(scene.path(), options);
    EXPECT_TRUE(dataset.ok()) << dataset.error().message;
    return io::make_preflight(*dataset, {}).cameras.at(0).plan;
  };
  EXPECT_EQ(plan("PINHOLE 64 48 60 60 32 24", 2), "PINHOLE 64x48, fx 60.0, resized to 32x24, fx 30.0");
  EXPECT_EQ(plan("PINHOLE 640 480 600 600 320 240", 1), "PINHOLE 640x480, fx 600.0, resized to 64x48, fx 60.0");
  const std::string full = plan("FISHEYE 64 48 60 60 32 24", 1), half = plan("FISHEYE 64 48 60 60 32 24", 2);
  EXPECT_TRUE(full.starts_with("FISHEYE 64x48, fx 60.0, undistorted to a pinhole 64x48, fx ")) << full;
  EXPECT_TRUE(half.starts_with("FISHEYE 64x48, fx 60.0, undistorted to a pinhole 32x24, fx ")) << half;
  const auto last_number = [](const std::string& text) { return std::stod(text.substr(text.rfind(' '))); };
  EXPECT_NEAR(last_number(full), 2 * last_number(half), 0.2) << full << ", " << half;
}

}  // namespace
