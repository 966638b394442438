// Panoramas from end to end: loaded, reported, trained on, evaluated and rendered.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "io/dataset/load_dataset.h"
#include "io/dataset/training_image.h"
#include "io/image_file.h"
#include "splat/backend/cpu/cpu_backend.h"
#include "tests/support/panorama_scene.h"
#include "tests/support/pictures.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

const std::set<std::string> kFaces{"front", "right", "back", "left", "up", "down"};

// "photo_100.front.png"
std::string face_of(int photo, const std::string& face) {
  return PanoramaScene::photo_name(photo).substr(0, 9) + "." + face + ".png";
}

std::set<std::string> faces_of(const std::vector<int>& photos) {
  std::set<std::string> names;
  for (const int photo : photos)
    for (const std::string& face : kFaces) names.insert(face_of(photo, face));
  return names;
}

std::set<std::string> names_in(const nlohmann::json& views, const char* key) {
  std::set<std::string> names;
  for (const auto& view : views) names.insert(view[key].get<std::string>());
  return names;
}

// One for all tests: it takes a while to photograph, and no test changes it.
class Panorama : public testing::Test {
 protected:
  static void SetUpTestSuite() { scene = new PanoramaScene(); }
  static void TearDownTestSuite() { delete scene; }
  static PanoramaScene* scene;
};
PanoramaScene* Panorama::scene = nullptr;

// Squared error of a face against a pinhole's picture, in 8-bit steps: of all of it, and of a frame 2 px wide.
struct Errors {
  double all = 0, frame = 0;
  size_t values = 0, frame_values = 0;
  static double psnr(double squared, size_t count) { return 10 * std::log10(255 * 255 * double(count) / squared); }
};

Errors errors_of(const splat::TrainingImage& face, const splat::ImageF& render) {
  Errors errors;
  const int side = face.width;
  for (size_t i = 0; i < face.rgb.size(); ++i) {
    const double difference = face.rgb[i] - 255 * std::clamp(double(render.rgb[i]), 0.0, 1.0);
    const int x = int(i % size_t(side)), y = int(i / size_t(side) % size_t(side));
    errors.all += difference * difference;
    ++errors.values;
    if (std::min({x, y, side - 1 - x, side - 1 - y}) >= 2) continue;
    errors.frame += difference * difference;
    ++errors.frame_values;
  }
  return errors;
}

TEST_F(Panorama, EveryFaceAgreesWithAPinholeThere) {
  const auto dataset = io::load_dataset(scene->dataset(), {});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  ASSERT_EQ(dataset->views.size(), size_t(6 * PanoramaScene::kPhotos));
  auto backend = splat::make_cpu_backend();
  (*backend)->upload(scene->truth());
  for (const splat::DatasetView& view : dataset->views) {
    const auto face = io::load_training_image(view);
    ASSERT_TRUE(face.ok()) << face.error().message;
    splat::ImageF render;
    (*backend)->forward(view.view(), {});
    (*backend)->read_image(render);
    const Errors errors = errors_of(*face, render);
    EXPECT_GT(Errors::psnr(errors.all, errors.values), 38) << view.name;
    EXPECT_GT(Errors::psnr(errors.frame, errors.frame_values), 38) << view.name << ", along its edges";
  }
}

TEST_F(Panorama, InfoSaysThatTheyAreSplit) {
  const Ran ran = run({"--info", scene->dataset(), "--eval"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* part :
       {"10 registered, 10 used", "panorama, split into 6 views of 163x163 (10 photos)",
        "8 photos to train on, 2 held out; 60 views in all", "held out: photo_100.png, photo_108.png"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << " in " << ran.out;
}

TEST_F(Panorama, TrainingHoldsOutWholePhotosAndNamesTheFaces) {
  const fs::path out = scene->output("out"), splats = out / "point_cloud/iteration_300/point_cloud.ply";
  const auto train = [&](const char* iterations) {
    return run(
        {"--train", scene->dataset(), "-o", out, "-i", iterations, "-r", "2", "--sh-degree", "0", "--eval", "--json"});
  };
  const Ran untrained = train("0"), trained = train("300");
  ASSERT_EQ(trained.code, 0) << trained.err;
  const nlohmann::json summary = trained.summary();
  const std::set<std::string> held_out = faces_of({0, 8});
  EXPECT_EQ(names_in(summary["views"], "name"), held_out);
  EXPECT_EQ(trained.json_lines().front()["training_views"], 48);
  EXPECT_GT(summary["psnr"].get<double>(), untrained.summary()["psnr"].get<double>() + 3);

  const nlohmann::json cameras = nlohmann::json::parse(text_of(out / "cameras.json"));
  EXPECT_EQ(names_in(cameras, "img_name"), faces_of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  const std::string report = text_of(out / "report.html");
  for (const std::string& name : held_out) EXPECT_NE(report.find(name), std::string::npos) << name;

  const Ran evaluated = run({"--evaluate", splats, "--data", scene->dataset(), "-r", "2", "--json"});
  ASSERT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_EQ(evaluated.summary()["views"], summary["views"]);
}

TEST_F(Panorama, RenderWritesOnePictureForEachFace) {
  const fs::path splats = scene->output("flat.ply"), pictures = scene->output("pictures");
  ASSERT_EQ(run({"--train", scene->dataset(), "-o", splats, "-i", "0"}).code, 0);
  ASSERT_EQ(run({"--render", splats, "--cameras", scene->dataset(), "-o", pictures, "-r", "4"}).code, 0);
  std::set<std::string> written;
  for (const auto& entry : fs::directory_iterator(pictures)) written.insert(entry.path().filename().string());
  EXPECT_EQ(written, faces_of({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  const auto size = io::read_image_size(pictures / face_of(3, "up"));
  ASSERT_TRUE(size.ok());
  EXPECT_EQ(size->width, 41);  // 163 / 4
  EXPECT_EQ(size->height, 41);
}

// What holds the camera, of another colour in every photo, is masked: without the mask it is learned.
TEST_F(Panorama, WhatIsMaskedIsNotLearned) {
  const PanoramaScene own;
  const int first = PanoramaScene::kHeight / 2;
  splat::Image8 mask = splat::test::flat_picture(PanoramaScene::kWidth, PanoramaScene::kHeight, 1, 255);
  const auto from_first = [&](size_t channels) { return ptrdiff_t(size_t(first * PanoramaScene::kWidth) * channels); };
  std::fill(mask.pixels.begin() + from_first(1), mask.pixels.end(), 0);
  for (int i = 0; i < PanoramaScene::kPhotos; ++i) {
    auto photo = io::read_image(fs::path(own.dataset()) / "images" / PanoramaScene::photo_name(i));
    ASSERT_TRUE(photo.ok());
    for (auto value = photo->pixels.begin() + from_first(3); value != photo->pixels.end(); ++value)
      *value = uint8_t(i % 2 ? 255 : 0);
    own.write("images/" + PanoramaScene::photo_name(i), io::encode_png(*photo));
    own.write("masks/" + PanoramaScene::photo_name(i), io::encode_png(mask));
  }
  const auto psnr = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"--train", own.dataset(), "-o", own.output("out.ply"), "-i", "300", "-r", "2"};
    words.insert(words.end(), {"--sh-degree", "0", "--json"});
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run(words).code, 0);
    const Ran ran = run({"--evaluate", own.output("out.ply"), "--data", scene->dataset(), "-r", "2", "--json"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.summary()["psnr"].get<double>();
  };
  const double masked = psnr({});
  fs::rename(fs::path(own.dataset()) / "masks", fs::path(own.dataset()) / "put away");
  EXPECT_GT(masked, psnr({}) + 1);
}

}  // namespace
}  // namespace app::test
