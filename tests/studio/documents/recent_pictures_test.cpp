#include "studio/documents/recent_pictures.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <vector>

#include "io/image_file.h"
#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace studio {
namespace {

namespace fs = std::filesystem;

class RecentPictures : public testing::Test {
 protected:
  void SetUp() override { write_scene(500); }
  void write_scene(size_t splats) const {
    ASSERT_TRUE(io::write_splat_file(scene_, splat::bench::make_scene({splats, 200, 150}).model, {}).ok());
  }
  std::vector<fs::path> kept() const {
    std::vector<fs::path> files;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(cache_ / "scenes", code)) files.push_back(entry.path());
    return files;
  }

  splat::test::TempFolder folder_;
  const fs::path scene_ = folder_.path() / "scene.ply", cache_ = folder_.path() / "cache";
};

TEST_F(RecentPictures, IsMadeOnceAndKeptUntilTheSceneChanges) {
  const auto made = recent_picture(cache_, scene_, 1);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->width, kRecentSide);
  EXPECT_EQ(made->height, kRecentSide);
  ASSERT_EQ(kept().size(), 1u);
  const splat::Image8 marked{2, 2, 3, std::vector<uint8_t>(12, 77)};
  const std::string png = io::encode_png(marked);
  folder_.write(fs::relative(kept()[0], folder_.path()).string(), png);
  const auto again = recent_picture(cache_, scene_, 1);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->pixels, marked.pixels) << "it was read, not made";
  write_scene(700);
  const auto changed = recent_picture(cache_, scene_, 1);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->width, kRecentSide);
}

TEST_F(RecentPictures, ABrokenOneIsMadeAnewAndWithoutACacheItIsMadeEachTime) {
  ASSERT_TRUE(recent_picture(cache_, scene_, 1));
  for (const std::string& bytes : {std::string("no picture"), std::string(), std::string(2 << 20, 'x')}) {
    folder_.write(fs::relative(kept()[0], folder_.path()).string(), bytes);
    const auto made = recent_picture(cache_, scene_, 1);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->width, kRecentSide);
  }
  EXPECT_TRUE(recent_picture({}, scene_, 1));
  folder_.write("file", "where the cache should be");
  EXPECT_TRUE(recent_picture(folder_.path() / "file", scene_, 1));
}

TEST_F(RecentPictures, OfADatasetItIsTheFirstPhoto) {
  const fs::path dataset = folder_.path() / "dataset";
  fs::copy(test_paths::source() / "assets/demo", dataset, fs::copy_options::recursive);
  const auto photo = recent_picture(cache_, dataset, 1);
  ASSERT_TRUE(photo);
  EXPECT_EQ(photo->width, kRecentSide);
  EXPECT_EQ(photo->height, kRecentSide * 3 / 4);
}

// Its tile on the first page is larger than the others.
TEST_F(RecentPictures, OfTheDemoItIsAPhotoAsItIs) {
  const fs::path demo = test_paths::source() / "assets/demo";
  const auto photo = recent_picture(cache_, demo, 1);
  const auto file = io::read_image(demo / "images/view_000.jpg");
  ASSERT_TRUE(photo && file);
  EXPECT_EQ(photo->width, 640);
  EXPECT_EQ(photo->height, 480);
  EXPECT_EQ(photo->pixels, file->pixels);
  EXPECT_TRUE(kept().empty());
}

TEST_F(RecentPictures, WhatIsGoneOrNoSceneHasNone) {
  EXPECT_FALSE(recent_picture(cache_, folder_.path() / "gone.ply", 1));
  EXPECT_FALSE(recent_picture(cache_, folder_.write("text.ply", "this is no splat file"), 1));
  EXPECT_FALSE(recent_picture(cache_, folder_.path(), 1)) << "a folder without photos";
  EXPECT_TRUE(kept().empty());
}

TEST_F(RecentPictures, OnlyAHundredAreKept) {
  for (int i = 0; i < 130; ++i) folder_.write("cache/scenes/old_" + std::to_string(i) + ".png", "x");
  ASSERT_TRUE(recent_picture(cache_, scene_, 1));
  EXPECT_EQ(kept().size(), 100u);
  const auto again = recent_picture(cache_, scene_, 1);
  ASSERT_TRUE(again);
  EXPECT_EQ(kept().size(), 100u) << "the newest was not among those that went";
}

}  // namespace
}  // namespace studio
