// Masks in the places and under the names that other programs use.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "io/dataset/image_store.h"
#include "io/dataset/load_dataset.h"
#include "io/dataset/training_image.h"
#include "tests/io/dataset/small_scene.h"

namespace {

using io::DatasetOptions;
using splat::Dataset;
using splat::test::any_mentions, splat::test::flat_picture, splat::test::SmallScene, splat::test::wavy_picture;

Dataset loaded(const SmallScene& scene, const DatasetOptions& options = {}) {
  auto dataset = io::load_dataset(scene.path(), options);
  EXPECT_TRUE(dataset.ok()) << dataset.error().message;
  return dataset.ok() ? std::move(*dataset) : Dataset{};
}

// The upper quarter has this value, the rest the other.
std::string mask_file(uint8_t upper = 0) {
  splat::Image8 picture = flat_picture(64, 48, 1, uint8_t(255 - upper));
  std::fill_n(picture.pixels.begin(), 64 * 12, upper);
  return io::encode_png(picture);
}

TEST(Masks, AreFoundWhereOtherProgramsPutThem) {
  for (const char* name :
       {"masks/a.png", "mask/a.png", "Masks/a.jpg.png", "image_masks/a.png", "images/masks/a.png", "masks/a.mask.png",
        "masks/a_mask.png", "masks/a-mask.png", "masks/a.jpg.mask.png", "masks/mask_a.png", "masks/deep/a.png",
        "images/a.mask.png", "images/a_mask.png", "images/mask_a.png"}) {
    SmallScene scene({"a.jpg"});
    scene.write_photos();
    scene.write(name, mask_file());
    const Dataset dataset = loaded(scene);
    EXPECT_EQ(dataset.views.at(0).mask_path, scene.path() / name);
    EXPECT_TRUE(dataset.warnings.empty()) << dataset.warnings.front();
    EXPECT_TRUE(dataset.extra_images.empty()) << name << " is no photo without a pose";
    EXPECT_EQ(io::load_training_image(dataset.views[0])->mask[0], 0) << name;
  }
}

TEST(Masks, OfInstantNgpAreWhiteWhereNothingCounts) {
  SmallScene scene({"sub/a.jpg"});
  scene.write_photos();
  scene.write("images/sub/dynamic_mask_a.png", mask_file(255));
  const Dataset dataset = loaded(scene);
  const auto image = io::load_training_image(dataset.views.at(0));
  ASSERT_TRUE(image.ok());
  ASSERT_EQ(image->mask.size(), size_t(64 * 48));
  EXPECT_EQ(image->mask[0], 0);
  EXPECT_EQ(image->mask.back(), 255);
  EXPECT_DOUBLE_EQ(*io::excluded_share(dataset.views[0].mask_path), 0.25);
}

TEST(Masks, OfTwoPhotosOfOneNameAreNotGuessed) {
  SmallScene scene({"front/a.png", "back/a.png"});
  scene.write_photos();
  scene.write("masks/a.png", mask_file());
  const Dataset dataset = loaded(scene);
  EXPECT_TRUE(dataset.views.at(0).mask_path.empty() && dataset.views.at(1).mask_path.empty());
  EXPECT_TRUE(any_mentions(dataset.warnings, "no mask in it has the name of a photo"));
}

TEST(Masks, FoldersThatFitNoPhotoAreNamed) {
  for (const char* folder : {"masks", "mask"}) {
    SmallScene scene({"a.png"});
    scene.write_photos();
    scene.write(std::string(folder) + "/b.png", mask_file());
    EXPECT_TRUE(
        any_mentions(loaded(scene).warnings, (scene.path() / folder).string() + "' is not used: no mask in it"));
  }
}

TEST(Masks, OfAnotherMeaningAreNamedAndNotUsed) {
  for (const char* folder : {"segmentation", "sky_masks", "dynamic_masks"}) {
    SmallScene scene({"a.png"});
    scene.write_photos();
    scene.write(std::string(folder) + "/a.png", mask_file());
    Dataset dataset = loaded(scene);
    EXPECT_TRUE(dataset.views.at(0).mask_path.empty());
    EXPECT_TRUE(any_mentions(dataset.warnings, "is not used: --masks '" + std::string(folder) + "'"));
    scene.write("masks/a.png", mask_file());
    dataset = loaded(scene);
    EXPECT_FALSE(dataset.views.at(0).mask_path.empty());
    EXPECT_TRUE(dataset.warnings.empty());
  }
}

TEST(Masks, ThatExcludeNothingAreNamed) {
  SmallScene scene({"a.png", "b.png"});
  scene.write_photos();
  scene.write("masks/a.png", io::encode_png(flat_picture(64, 48, 1, 255)));
  scene.write("masks/b.png", mask_file());
  Dataset dataset = loaded(scene);
  ASSERT_TRUE(io::open_images(dataset, {}).ok());
  EXPECT_TRUE(any_mentions(dataset.notes, "the masks of 1 of 2 photos exclude nothing: a.png"));
  EXPECT_TRUE(dataset.warnings.empty());
  scene.write("masks/b.png", io::encode_png(flat_picture(64, 48, 1, 200)));
  dataset = loaded(scene);
  ASSERT_TRUE(io::open_images(dataset, {}).ok());
  EXPECT_TRUE(any_mentions(dataset.warnings, "no mask excludes anything (2 looked at)"));
}

}  // namespace
