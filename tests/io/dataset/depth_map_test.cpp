// Depth maps beside photos: found, checked, and as training sees them.
#include "io/dataset/depth_map.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "io/dataset/image_store.h"
#include "io/dataset/load_dataset.h"
#include "io/dataset/training_image.h"
#include "tests/io/dataset/small_scene.h"
#include "tests/support/grey16_png.h"

namespace {

using io::DatasetOptions, io::DepthMaps;
using splat::test::any_mentions, splat::test::grey16_png, splat::test::mentions, splat::test::SmallScene;

std::vector<uint16_t> depth_ramp(int width, int height) {
  std::vector<uint16_t> pixels;
  for (int i = 0; i < width * height; ++i) pixels.push_back(uint16_t(300 * (i / width) + i % width + 1));
  return pixels;
}

DatasetOptions with(DepthMaps depths, int resolution = 0) {
  DatasetOptions options;
  options.depths = depths;
  options.resolution = resolution;
  return options;
}

std::string refusal_of(const SmallScene& scene, DepthMaps depths = DepthMaps::kAuto) {
  const auto dataset = io::load_dataset(scene.path(), with(depths));
  return dataset.ok() ? "" : dataset.error().message;
}

TEST(DepthMap, OfThePhotosNameAreFoundWhereTheyAreWanted) {
  SmallScene scene({"a.jpg", "b.jpg"});
  scene.write_photos();
  scene.write("depths/a.png", grey16_png(64, 48, depth_ramp(64, 48)));
  const auto found = io::load_dataset(scene.path(), with(DepthMaps::kAuto));
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->views[0].depth_path, scene.path() / "depths/a.png");
  EXPECT_TRUE(found->views[1].depth_path.empty());
  for (const DatasetOptions& options : {with(DepthMaps::kOff), DatasetOptions{}}) {
    const auto off = io::load_dataset(scene.path(), options);
    ASSERT_TRUE(off.ok());
    EXPECT_TRUE(off->views[0].depth_path.empty());
  }
}

TEST(DepthMap, OfNerfCaptureLieBesideThePhotos) {
  SmallScene scene({"0.png", "1.png"});
  scene.write_photos();
  scene.write("images/0.depth.png", grey16_png(64, 48, depth_ramp(64, 48)));
  for (const DepthMaps depths : {DepthMaps::kOn, DepthMaps::kOff}) {
    const auto dataset = io::load_dataset(scene.path(), with(depths));
    ASSERT_TRUE(dataset.ok()) << dataset.error().message;
    ASSERT_EQ(dataset->views.size(), 2u);
    EXPECT_EQ(dataset->views[0].depth_path.empty(), depths == DepthMaps::kOff);
    EXPECT_TRUE(dataset->views[1].depth_path.empty());
    EXPECT_TRUE(dataset->extra_images.empty()) << "it is no photo without a pose";
  }
}

TEST(DepthMap, IsReadExactlyAtItsOwnSizeAndNearestAtAnother) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  const std::vector<uint16_t> pixels = depth_ramp(64, 48);
  scene.write("depths/a.png", grey16_png(64, 48, pixels));
  for (const int resolution : {1, 2}) {
    const auto dataset = io::load_dataset(scene.path(), with(DepthMaps::kOn, resolution));
    ASSERT_TRUE(dataset.ok()) << dataset.error().message;
    const auto image = io::load_training_image(dataset->views[0]);
    ASSERT_TRUE(image.ok()) << image.error().message;
    ASSERT_EQ(image->depth.size(), size_t(image->width * image->height));
    for (int y = 0; y < image->height; ++y)
      for (int x = 0; x < image->width; ++x) {
        const int at = resolution == 1 ? y * 64 + x : (2 * y + 1) * 64 + 2 * x + 1;
        ASSERT_EQ(image->depth[size_t(y * image->width + x)], pixels[size_t(at)]) << x << "," << y;
      }
  }
}

TEST(DepthMap, FollowsThePhotoThroughItsLens) {
  SmallScene scene({"a.png"}, "SIMPLE_RADIAL 64 48 60 32 24 -0.2");
  scene.write_photos();
  scene.write("depths/a.png", grey16_png(64, 48, depth_ramp(64, 48)));
  const auto dataset = io::load_dataset(scene.path(), with(DepthMaps::kAuto));
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  const splat::DatasetView& view = dataset->views[0];
  const auto image = io::load_training_image(view);
  ASSERT_TRUE(image.ok());
  for (int y = 4; y < 44; y += 8)
    for (int x = 4; x < 60; x += 8) {
      const double u = (x + 0.5 - view.camera.cx) / view.camera.fx, v = (y + 0.5 - view.camera.cy) / view.camera.fy;
      const double factor = 1 - 0.2 * (u * u + v * v);
      const int value = image->depth[size_t(y * image->width + x)] - 1;
      const int column = value % 300, row = value / 300;
      EXPECT_NEAR(column + 0.5, 60 * factor * u + 32, 0.51) << x << "," << y;
      EXPECT_NEAR(row + 0.5, 60 * factor * v + 24, 0.51) << x << "," << y;
    }
}

TEST(DepthMap, DoesNotCountWhereThePhotoIsMasked) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  scene.write("depths/a.png", grey16_png(64, 48, depth_ramp(64, 48)));
  splat::Image8 mask = splat::test::flat_picture(64, 48, 1, 255);
  std::fill_n(mask.pixels.begin(), 64, uint8_t(0));
  scene.write("masks/a.png", io::encode_png(mask));
  const auto dataset = io::load_dataset(scene.path(), with(DepthMaps::kAuto));
  ASSERT_TRUE(dataset.ok());
  const auto image = io::load_training_image(dataset->views[0]);
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->depth[10], 0);
  EXPECT_EQ(image->depth[64 + 10], 311);
}

TEST(DepthMap, BadFilesAreNamedWithTheWayOut) {
  SmallScene scene({"a.png"});
  scene.write_photos();
  EXPECT_TRUE(mentions(refusal_of(scene, DepthMaps::kOn), "no photo has a depth map"));
  EXPECT_EQ(refusal_of(scene), "");
  struct Bad {
    std::string bytes, says;
  };
  for (const Bad& bad : {Bad{grey16_png(64, 48, depth_ramp(64, 48), 8), "8 bits"},
                         Bad{io::encode_png(splat::test::flat_picture(64, 48, 3, 9)), "not grey"},
                         Bad{io::encode_jpeg(splat::test::flat_picture(64, 48, 3, 9), 90), "not a PNG"},
                         Bad{grey16_png(48, 64, depth_ramp(48, 64)), "48x64"}}) {
    scene.write("depths/a.png", bad.bytes);
    const std::string sentence = refusal_of(scene, DepthMaps::kOn);
    EXPECT_TRUE(mentions(sentence, bad.says)) << sentence;
    EXPECT_TRUE(mentions(sentence, "a.png")) << sentence;
    EXPECT_TRUE(mentions(sentence, "--depths off")) << sentence;
    const auto without = io::load_dataset(scene.path(), with(DepthMaps::kAuto));
    ASSERT_TRUE(without.ok()) << without.error().message;
    EXPECT_TRUE(without->views[0].depth_path.empty());
    EXPECT_TRUE(any_mentions(without->warnings, "1 depth map cannot be used and is left out: 'a.png'"));
    EXPECT_TRUE(any_mentions(without->warnings, bad.says));
  }
}

// Faces are cut without depth: a map that a face had by name alone would be trained on, and counted as memory.
TEST(DepthMap, PanoramasAreTrainedWithout) {
  SmallScene scene({"a.png"}, "EQUIRECTANGULAR 64 32 64 32");
  scene.write_photos(64, 32);
  const auto without = io::load_dataset(scene.path(), with(DepthMaps::kAuto));
  ASSERT_TRUE(without.ok()) << without.error().message;
  scene.write("depths/a.png", grey16_png(64, 32, depth_ramp(64, 32)));
  const auto dataset = io::load_dataset(scene.path(), with(DepthMaps::kAuto));
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  ASSERT_EQ(dataset->views.size(), 6u);
  for (const splat::DatasetView& view : dataset->views) {
    EXPECT_TRUE(view.depth_path.empty());
    const auto face = io::load_training_image(view);
    ASSERT_TRUE(face.ok()) << face.error().message;
    EXPECT_TRUE(face->depth.empty());
  }
  EXPECT_EQ(io::image_bytes(*dataset), io::image_bytes(*without));
}

TEST(DepthMap, EveryTruncationIsAnError) {
  splat::test::TempFolder folder;
  const std::string whole = grey16_png(20, 10, depth_ramp(20, 10));
  ASSERT_TRUE(io::read_grey16(folder.write("d.png", whole)).ok());
  for (size_t size = 0; size < whole.size(); size += 3)
    EXPECT_FALSE(io::read_grey16(folder.write("d.png", whole.substr(0, size))).ok()) << size;
}

TEST(DepthMap, NamedByTransformsJson) {
  splat::test::TempFolder folder;
  const std::string pose = R"("transform_matrix": [[1,0,0,0],[0,1,0,0],[0,0,1,4],[0,0,0,1]])";
  folder.write("a.png", io::encode_png(splat::test::wavy_picture(64, 48, 3)));
  folder.write("transforms.json",
               R"({"fl_x": 60, "frames": [{"file_path": "a.png", "depth_file_path": "sensor/7.png", )" + pose + "}]}");
  const auto without = io::load_dataset(folder.path(), with(DepthMaps::kAuto));
  ASSERT_TRUE(without.ok()) << without.error().message;
  EXPECT_TRUE(any_mentions(without->warnings, "are not there"));
  const auto wanted = io::load_dataset(folder.path(), with(DepthMaps::kOn));
  ASSERT_FALSE(wanted.ok());
  EXPECT_TRUE(mentions(wanted.error().message, "7.png")) << wanted.error().message;
  folder.write("sensor/7.png", grey16_png(32, 24, depth_ramp(32, 24)));
  const auto found = io::load_dataset(folder.path(), with(DepthMaps::kOn));
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->views[0].depth_path, folder.path() / "sensor/7.png");
}

}  // namespace
