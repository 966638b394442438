// COLMAP models on disk: which one is found, and the real scenes.
#include <gtest/gtest.h>

#include <cmath>

#include "io/reconstruction/colmap.h"
#include "tests/io/error_sentence.h"
#include "tests/io/reconstruction/golden_colmap.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;
using splat::Result;
using splat::test::TempFolder;

const fs::path kScenes = test_paths::data() / "scenes";

// `images` images of one camera and no points.
void write_model(const TempFolder& folder, const fs::path& where, size_t images) {
  folder.write(where / "cameras.bin", golden_cameras_bin());
  std::vector<std::string> records;
  for (size_t i = 0; i < images; ++i)
    records.push_back(GoldenImage{.id = uint32_t(i + 1), .name = std::to_string(i) + ".jpg"}.bytes());
  folder.write(where / "images.bin", counted(records));
}

void write_text_model(const TempFolder& folder, const fs::path& where) {
  folder.write(where / "cameras.txt", golden_cameras_txt());
  folder.write(where / "images.txt", golden_images_txt());
  folder.write(where / "points3D.txt", golden_points_txt());
}

TEST(FindColmapModel, LooksInEveryUsualPlace) {
  for (const char* place : {"sparse/0", "sparse", ".", "0", "colmap/sparse/0", "colmap/sparse", "sparse/3"}) {
    const TempFolder folder;
    write_model(folder, place, 2);
    const auto found = find_colmap_model(folder.path());
    ASSERT_TRUE(found.has_value()) << place;
    EXPECT_TRUE(fs::equivalent(found->folder, folder.path() / place)) << found->folder;
    EXPECT_TRUE(found->notes.empty());
  }
  const TempFolder empty;
  EXPECT_FALSE(find_colmap_model(empty.path()).has_value());
  EXPECT_FALSE(find_colmap_model(empty.path() / "no such folder").has_value());
}

TEST(FindColmapModel, TakesTheOneWithTheMostImagesAndSaysSo) {
  const TempFolder folder;
  write_model(folder, "sparse/0", 2);
  write_model(folder, "sparse/1", 7);
  write_text_model(folder, "sparse/12");  // 3 images
  write_model(folder, "sparse/unrelated", 20);
  const auto found = find_colmap_model(folder.path());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->folder, folder.path() / "sparse" / "1");
  ASSERT_EQ(found->notes.size(), 1u);
  for (const char* part : {"3 models", "sparse/1'", "(7;", "0 has 2", "12 has 3"})
    EXPECT_NE(found->notes[0].find(part), std::string::npos) << part << " in " << found->notes[0];
}

TEST(FindColmapModel, ACountThatLiesDoesNotWin) {
  const TempFolder folder;
  write_model(folder, "sparse/0", 1);
  folder.write("sparse/1/cameras.bin", golden_cameras_bin());
  std::string lie = golden_images_bin();
  lie[5] = 1;  // 2^40 more images
  folder.write("sparse/1/images.bin", lie);
  EXPECT_EQ(find_colmap_model(folder.path())->folder, folder.path() / "sparse" / "0");
}

TEST(FindColmapModel, EqualModelsTheFirst) {
  const TempFolder folder;
  write_model(folder, "sparse/0", 3);
  write_model(folder, "sparse/1", 3);
  EXPECT_EQ(find_colmap_model(folder.path())->folder, folder.path() / "sparse" / "0");
}

TEST(ReadColmap, BinaryAndTextSayTheSame) {
  const TempFolder folder;
  write_text_model(folder, "text");
  folder.write("binary/cameras.bin", golden_cameras_bin());
  folder.write("binary/images.bin", golden_images_bin());
  folder.write("binary/points3D.bin", golden_points_bin());
  folder.write("binary/rigs.bin", "of COLMAP 3.12, ignored");
  const auto text = read_colmap(folder.path() / "text"), binary = read_colmap(folder.path() / "binary");
  ASSERT_TRUE(text.ok()) << text.error().message;
  ASSERT_TRUE(binary.ok()) << binary.error().message;
  EXPECT_EQ(text->format, "COLMAP text");
  EXPECT_EQ(binary->format, "COLMAP binary");
  EXPECT_TRUE(text->notes.empty() && binary->notes.empty());
  for (const Reconstruction* model : {&*text, &*binary}) {
    EXPECT_EQ(model->cameras, 2);
    EXPECT_EQ(model->points.size(), 4u);
    EXPECT_EQ(model->observations, 4u);
    ASSERT_EQ(model->images.size(), 3u);
    EXPECT_EQ(model->images[0].name, "a.jpg");  // sorted
    EXPECT_EQ(model->images[1].name, "b folder/c 2.jpg");
    EXPECT_EQ(model->images[0].camera_index, 0);
    EXPECT_EQ(model->images[1].camera_index, 1);
    EXPECT_EQ(model->images[2].camera_index, 0);
    EXPECT_EQ(model->images[1].camera.width, 1920);
    EXPECT_FALSE(model->images[1].pending.any());
    EXPECT_FALSE(model->images[1].held_out.has_value());
  }
}

TEST(ReadColmap, PrefersBinary) {
  const TempFolder folder;
  write_text_model(folder, ".");
  write_model(folder, ".", 1);
  const auto model = read_colmap(folder.path());
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->format, "COLMAP binary");
  EXPECT_EQ(model->images.size(), 1u);
  EXPECT_EQ(model->points.size(), 4u);  // points3D.txt, the only one there
}

TEST(ReadColmap, MissingPointsAreNoted) {
  const TempFolder folder;
  write_model(folder, "none", 1);
  write_model(folder, "empty", 1);
  folder.write("empty/points3D.txt", "");
  for (const char* name : {"none", "empty"}) {
    const auto model = read_colmap(folder.path() / name);
    ASSERT_TRUE(model.ok()) << model.error().message;
    EXPECT_EQ(model->points.size(), 0u);
    ASSERT_EQ(model->notes.size(), 1u);
    EXPECT_NE(model->notes[0].find("no points"), std::string::npos) << model->notes[0];
  }
}

TEST(ReadColmap, WhatIsMissingIsNamed) {
  const TempFolder folder;
  folder.write("half/sparse/0/cameras.bin", golden_cameras_bin());
  folder.write("half/sparse/0/images.txt", golden_images_txt());
  const auto found = find_colmap_model(folder.path() / "half");
  ASSERT_TRUE(found.has_value());
  expect_sentence(read_colmap(found->folder),
                  {"sparse/0", "has cameras.bin, images.txt", "lacks images.bin, cameras.txt"});
  expect_sentence(read_colmap(folder.path()), {"no COLMAP model", "cameras.bin"});
  write_model(folder, "bad", 1);
  folder.write("bad/points3D.bin", golden_points_bin().substr(0, 100));
  expect_sentence(read_colmap(folder.path() / "bad"), {"bad/points3D.bin", "byte"});
}

TEST(ReadColmap, PathsWithSpacesAndNonAsciiLetters) {
  const TempFolder folder;
  write_model(folder, "G\xc3\xa4rten und \xe6\x9d\xb1\xe4\xba\xac/sparse/0", 2);
  const auto found = find_colmap_model(folder.path() / "G\xc3\xa4rten und \xe6\x9d\xb1\xe4\xba\xac");
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(read_colmap(found->folder).ok());
}

struct Scene {
  const char* name;
  const char* format;
  size_t images, points;
  uint64_t observations;
  splat::CameraModel model;
  int width, height;
};

TEST(ReadColmap, RealScenes) {
  if (!fs::exists(kScenes)) GTEST_SKIP() << "the real scenes are not beside the source tree";
  using splat::CameraModel;
  for (const Scene& scene :
       {Scene{"banana", "COLMAP binary", 15, 6871, 24612, CameraModel::kPinhole, 937, 623},
        Scene{"banana_distorted", "COLMAP binary", 15, 6871, 24612, CameraModel::kSimpleRadial, 940, 625},
        Scene{"banana_text", "COLMAP text", 15, 6871, 24612, CameraModel::kPinhole, 937, 623},
        Scene{"plush", "COLMAP binary", 48, 5437, 27172, CameraModel::kPinhole, 995, 746},
        Scene{"plush_opencv", "COLMAP binary", 48, 5443, 27204, CameraModel::kOpenCv, 1008, 756}}) {
    const auto found = find_colmap_model(kScenes / scene.name);
    ASSERT_TRUE(found.has_value()) << scene.name;
    const auto model = read_colmap(found->folder);
    ASSERT_TRUE(model.ok()) << model.error().message;
    EXPECT_EQ(model->format, scene.format);
    EXPECT_EQ(model->images.size(), scene.images) << scene.name;
    EXPECT_EQ(model->points.size(), scene.points) << scene.name;
    EXPECT_EQ(model->observations, scene.observations) << scene.name;
    EXPECT_EQ(model->cameras, 1);
    EXPECT_TRUE(model->notes.empty()) << model->notes[0];
    for (const ReconstructionImage& image : model->images) {
      EXPECT_EQ(image.camera.model, scene.model);
      EXPECT_EQ(image.camera.width, scene.width);
      EXPECT_EQ(image.camera.height, scene.height);
      EXPECT_TRUE(fs::exists(kScenes / scene.name / "images" / image.name)) << image.name;
    }
  }
}

TEST(ReadColmap, RealTextAndBinaryAgree) {
  if (!fs::exists(kScenes)) GTEST_SKIP() << "the real scenes are not beside the source tree";
  const auto binary = read_colmap(kScenes / "banana/sparse/0"), text = read_colmap(kScenes / "banana_text/sparse/0");
  ASSERT_TRUE(binary.ok() && text.ok());
  ASSERT_EQ(binary->images.size(), text->images.size());
  for (size_t i = 0; i < binary->images.size(); ++i) {
    const ReconstructionImage &a = binary->images[i], &b = text->images[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.camera.params, b.camera.params);
    for (size_t k = 0; k < 9; ++k) EXPECT_NEAR(a.cam_from_world.rotation[k], b.cam_from_world.rotation[k], 1e-15);
    EXPECT_EQ(a.cam_from_world.translation, b.cam_from_world.translation);
  }
  EXPECT_EQ(binary->points.size(), text->points.size());
  EXPECT_EQ(binary->observations, text->observations);
  const auto sum = [](const splat::PointCloud& points) {  // the files list the points in different orders
    double total = 0;
    for (const float value : points.xyz) total += double(value) * double(value);
    for (const uint8_t value : points.rgb) total += value;
    return total;
  };
  EXPECT_NEAR(sum(binary->points), sum(text->points), 1e-6 * sum(text->points));
}

}  // namespace
}  // namespace io::test
