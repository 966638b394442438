// Masks painted on undistorted photos, as training finds them afterwards.
#include "io/dataset/painted_mask.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/dataset/load_dataset.h"
#include "io/dataset/training_image.h"
#include "tests/io/dataset/small_scene.h"

namespace painted_mask_test {
namespace {

namespace fs = std::filesystem;
using splat::Dataset, splat::DatasetView, splat::Image8, splat::MaskChange;
using splat::test::flat_picture, splat::test::mentions, splat::test::SmallScene;
using Changes = std::vector<MaskChange>;

constexpr size_t kPixels = 64 * 48;

Dataset loaded(const SmallScene& scene) {
  auto dataset = io::load_dataset(scene.path(), {});
  EXPECT_TRUE(dataset.ok()) << dataset.error().message;
  return std::move(*dataset);
}

// How far a pixel's centre is inside a disc that lies to the left of the middle, px.
double depth_in_disc(size_t pixel) {
  return 12 - std::hypot(double(pixel % 64) + 0.5 - 22, double(pixel / 64) + 0.5 - 20);
}

Changes disc() {
  Changes changes(kPixels, MaskChange::kKeep);
  for (size_t i = 0; i < kPixels; ++i)
    if (depth_in_disc(i) >= 0) changes[i] = MaskChange::kLeaveOut;
  return changes;
}

splat::Status save(const Dataset& dataset, size_t view, const Changes& changes, bool keeps = true) {
  SPLAT_ASSIGN_OR_RETURN(const fs::path file, io::mask_file(dataset, dataset.views[view], {}));
  SPLAT_ASSIGN_OR_RETURN(Image8 mask, io::changed_mask(dataset.views[view], changes));
  return io::write_mask(file, std::move(mask), keeps);
}

Image8 mask_picture(const fs::path& path) {
  auto mask = io::read_image(path);
  EXPECT_TRUE(mask.ok());
  return mask.ok() ? std::move(*mask) : Image8{};
}

TEST(PaintedMasks, LieWhereTheyWerePaintedWhateverTheLens) {
  for (const char* camera : {"PINHOLE 64 48 60 60 32 24", "OPENCV 64 48 50 50 32 24 -0.25 0.05 0.002 -0.001",
                             "RADIAL 64 48 60 31 25 0.2 0.1", "OPENCV_FISHEYE 64 48 30 30 32 24 0.03 -0.01 0 0"}) {
    SmallScene scene({"sub/a.jpg", "sub/b.jpg"}, camera);
    scene.write_photos();
    const Dataset before = loaded(scene);
    const auto unmasked = io::load_training_image(before.views[0]);
    ASSERT_TRUE(save(before, 0, disc()).ok());
    const Dataset dataset = loaded(scene);
    EXPECT_EQ(dataset.views[0].mask_path, scene.path() / "masks/sub/a.jpg.png");
    EXPECT_TRUE(dataset.views[1].mask_path.empty());
    EXPECT_EQ(dataset.warnings, before.warnings) << "of the lens at most";
    const auto image = io::load_training_image(dataset.views[0]);
    ASSERT_TRUE(image.ok());
    size_t wrong = 0, inside = 0;
    for (size_t i = 0; i < kPixels; ++i) {
      if (std::abs(depth_in_disc(i)) < 1.5) continue;  // pixels of two pictures never lie on each other
      inside += depth_in_disc(i) > 0;
      wrong += image->counts(i) != (unmasked->counts(i) && depth_in_disc(i) < 0);
    }
    EXPECT_EQ(wrong, 0u) << camera;
    EXPECT_GT(inside, 300u);
  }
}

// With this lens the corners of the photo lie outside of the picture.
TEST(PaintedMasks, WhatThePictureDoesNotShowStaysAsItWas) {
  SmallScene scene({"a.jpg"}, "RADIAL 64 48 30 32 24 0.6 0.3");
  scene.write_photos();
  const Changes all(kPixels, MaskChange::kFlip);
  for (const uint8_t before : {0, 255}) {
    scene.write("masks/a.png", io::encode_png(flat_picture(64, 48, 1, before)));
    const Dataset dataset = loaded(scene);
    const DatasetView& view = dataset.views[0];
    const auto mask = io::changed_mask(view, all);
    ASSERT_TRUE(mask.ok());
    const splat::Lens lens = io::training_lens(view);
    const splat::PinholeCamera camera = io::painted_camera(view);
    size_t outside = 0;
    for (size_t i = 0; i < kPixels; ++i) {
      const auto ray = cam_from_image(lens, double(i % 64) + 0.5, double(i / 64) + 0.5);
      const double x = ray ? (*ray)[0] * camera.fx + camera.cx : -1, y = ray ? (*ray)[1] * camera.fy + camera.cy : -1;
      const bool shown = x >= 0 && y >= 0 && x < 64 && y < 48;
      outside += !shown;
      EXPECT_EQ(mask->pixels[i] == before, !shown) << i;
    }
    EXPECT_GT(outside, 20u);
    EXPECT_LT(outside, kPixels / 2);
  }
}

TEST(PaintedMasks, GoOnTopOfTheMaskThatIsThereAndKeepIt) {
  SmallScene scene({"a.jpg"});
  scene.write_photos();
  Image8 coarse = flat_picture(32, 24, 1, 255);
  std::fill_n(coarse.pixels.begin(), 32 * 6, uint8_t(0));  // the upper quarter
  const std::string file = io::encode_png(coarse);
  scene.write("image_masks/a.png", file);
  ASSERT_TRUE(save(loaded(scene), 0, disc()).ok());
  const Image8 mask = mask_picture(scene.path() / "image_masks/a.png");
  ASSERT_EQ(mask.pixels.size(), kPixels);
  for (size_t i = 0; i < kPixels; ++i) EXPECT_EQ(mask.pixels[i], i / 64 < 12 || depth_in_disc(i) >= 0 ? 0 : 255) << i;
  const Image8 kept = mask_picture(scene.path() / "image_masks/a.png.before");
  EXPECT_EQ(kept.pixels, coarse.pixels);

  ASSERT_TRUE(save(loaded(scene), 0, Changes(kPixels, MaskChange::kUse)).ok());
  EXPECT_EQ(mask_picture(scene.path() / "image_masks/a.png.before2").pixels, mask.pixels);
  EXPECT_EQ(mask_picture(scene.path() / "image_masks/a.png.before").pixels, coarse.pixels);
  ASSERT_TRUE(save(loaded(scene), 0, disc(), false).ok());
  EXPECT_FALSE(fs::exists(scene.path() / "image_masks/a.png.before3"));
  EXPECT_TRUE(loaded(scene).warnings.empty()) << "nothing of this looks like something that is not used";
}

TEST(PaintedMasks, JoinThoseOfOtherPhotos) {
  SmallScene scene({"a.jpg", "b.jpg"});
  scene.write_photos();
  scene.write("image_masks/b.png", io::encode_png(flat_picture(64, 48, 1, 0)));
  Dataset dataset = loaded(scene);
  EXPECT_EQ(*io::mask_file(dataset, dataset.views[0], {}), scene.path() / "image_masks/a.jpg.png");
  EXPECT_EQ(*io::mask_file(dataset, dataset.views[0], "images"), scene.path() / "images/a.jpg.png") << "--masks";
  EXPECT_TRUE(mentions(io::mask_file(dataset, dataset.views[0], "nowhere").error().message, "--masks"));
  ASSERT_TRUE(save(dataset, 0, disc()).ok());
  dataset = loaded(scene);
  EXPECT_EQ(dataset.views[0].mask_path, scene.path() / "image_masks/a.jpg.png");
  EXPECT_EQ(dataset.views[1].mask_path, scene.path() / "image_masks/b.png");

  SmallScene beside({"a.jpg", "b.jpg"});
  beside.write_photos();
  beside.write("images/b_mask.png", io::encode_png(flat_picture(64, 48, 1, 0)));
  ASSERT_TRUE(save(loaded(beside), 0, disc()).ok());
  dataset = loaded(beside);
  EXPECT_EQ(dataset.views[0].mask_path, beside.path() / "masks/a.jpg.png");
  EXPECT_EQ(dataset.views[1].mask_path, beside.path() / "images/b_mask.png");
}

TEST(PaintedMasks, OfInstantNgpStayWhiteWhereNothingCounts) {
  SmallScene scene({"a.jpg"});
  scene.write_photos();
  scene.write("images/dynamic_mask_a.png", io::encode_png(flat_picture(64, 48, 1, 0)));
  ASSERT_TRUE(save(loaded(scene), 0, disc()).ok());
  const Dataset dataset = loaded(scene);
  const auto image = io::load_training_image(dataset.views[0]);
  for (size_t i = 0; i < kPixels; ++i) EXPECT_EQ(image->counts(i), depth_in_disc(i) < 0) << i;
  EXPECT_EQ(mask_picture(scene.path() / "images/dynamic_mask_a.png").pixels[0], 0);
}

TEST(PaintedMasks, AreRefusedInOneSentenceWhereTheyCannotBe) {
  SmallScene scene({"a.jpg"});
  scene.write_photos();
  Dataset dataset = loaded(scene);
  DatasetView view = dataset.views[0];
  view.mask_path = "a_mask.jpg";
  EXPECT_TRUE(mentions(io::changed_mask(view, disc()).error().message, "'a_mask.jpg' is no PNG"));
  view.mask_path.clear();
  view.panorama_face = 0, view.photo = "sky.jpg";
  EXPECT_TRUE(mentions(io::check_paintable(view).error().message, "'sky.jpg' is a panorama"));
  scene.write("masks", "a file where the folder should be");
  const splat::Status status = save(dataset, 0, disc());
  ASSERT_FALSE(status.ok());
  EXPECT_TRUE(mentions(status.error().message, "cannot make the folder '" + (scene.path() / "masks").string()));
}

}  // namespace
}  // namespace painted_mask_test
