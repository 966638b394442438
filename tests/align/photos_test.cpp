// What is found out about a folder of photos before anything is computed.
#include <gtest/gtest.h>

#include <algorithm>

#include "align/photos/look.h"
#include "align/photos/sharpness.h"
#include "align/photos/working_folder.h"
#include "io/bytes.h"
#include "tests/support/pictures.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_paths.h"

namespace align {
namespace {

namespace fs = std::filesystem;
using splat::Image8;
using splat::test::wavy_picture;

std::string exif_of_corpus() {  // a JPEG's beginning with an Exif segment, without its start marker
  const std::string file = *io::read_file(test_paths::source() / "tests/fuzz/corpus/exif/little");
  return file.substr(2, file.size() - 2 - 4);
}

Image8 checkers(int width, int height, int square) {
  Image8 image{width, height, 1, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.pixels.push_back((x / square + y / square) % 2 ? 200 : 50);
  return image;
}

Image8 box_blurred(const Image8& image, int radius) {
  Image8 blurred = image;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      int sum = 0, count = 0;
      for (int v = std::max(0, y - radius); v <= std::min(image.height - 1, y + radius); ++v)
        for (int u = std::max(0, x - radius); u <= std::min(image.width - 1, x + radius); ++u, ++count)
          sum += image.pixels[size_t(v) * size_t(image.width) + size_t(u)];
      blurred.pixels[size_t(y) * size_t(image.width) + size_t(x)] = uint8_t(sum / count);
    }
  return blurred;
}

class PhotosTest : public testing::Test {
 protected:
  void write(const std::string& name, const Image8& image, bool with_exif = false) {
    std::string bytes = name.ends_with(".png") ? io::encode_png(image) : io::encode_jpeg(image, 90);
    if (with_exif) bytes = bytes.substr(0, 2) + exif_of_corpus() + bytes.substr(2);
    folder_.write(name, bytes);
  }
  PhotoSet look(const LookOptions& options = {}) {
    auto set = look_at_photos(folder_.path(), options);
    EXPECT_TRUE(set.ok()) << (set ? "" : set.error().message);
    return set ? std::move(*set) : PhotoSet{};
  }
  std::vector<std::string> names(const PhotoSet& set) {
    std::vector<std::string> list;
    for (const Photo& photo : set.photos) list.push_back(photo.name);
    return list;
  }
  splat::test::TempFolder folder_;
};

TEST_F(PhotosTest, PhotosOfOneLensAreAGroup) {
  write("a b.jpg", wavy_picture(64, 48, 3, 1));
  write("Tür/ö.jpg", wavy_picture(64, 48, 3, 2));
  write("Tür/x.jpg", wavy_picture(64, 48, 3, 3), true);
  write("tall.png", wavy_picture(48, 64, 3, 4));
  const PhotoSet set = look();
  EXPECT_EQ(names(set), (std::vector<std::string>{"Tür/x.jpg", "Tür/ö.jpg", "a b.jpg", "tall.png"}));
  EXPECT_EQ(set.groups, 3);
  EXPECT_EQ(set.photos[1].group, set.photos[2].group);
  EXPECT_NE(set.photos[0].group, set.photos[1].group);  // a named camera
  EXPECT_EQ(set.photos[0].exif.model, "D90");
  EXPECT_NE(set.photos[3].group, set.photos[1].group);  // another size
}

// A phone's zoom by cropping: the same focal length, another field of view.
TEST_F(PhotosTest, DigitalZoomIsALensOfItsOwn) {
  const auto short_of = [](unsigned value) { return std::string{char(value), char(value >> 8)}; };
  const auto long_of = [](unsigned value) { return std::string{char(value), char(value >> 8), 0, 0}; };
  const auto photo = [&](int seed, unsigned on_film, unsigned zoom_percent) {
    const auto entry = [&](unsigned tag, char type, unsigned value) {
      return short_of(tag) + std::string{type, 0, 1, 0, 0, 0} + long_of(value);
    };
    const std::string tiff = std::string("II*\0\x8\0\0\0", 8) + short_of(1) + entry(0x8769, 4, 26) + long_of(0) +
                             short_of(3) + entry(0x920A, 5, 68) + entry(0xA404, 5, 76) + entry(0xA405, 3, on_film) +
                             long_of(0) + long_of(69) + long_of(10) + long_of(zoom_percent) + long_of(100);
    const std::string body = std::string("Exif\0\0", 6) + tiff;
    return io::encode_jpeg(wavy_picture(64, 48, 3, seed), 90)
        .insert(2, std::string{'\xFF', '\xE1', 0, char(body.size() + 2)} + body);
  };
  folder_.write("a.jpg", photo(1, 25, 100));
  folder_.write("b.jpg", photo(2, 40, 160));  // the phone says both
  folder_.write("c.jpg", photo(3, 25, 101));  // no zoom, but for rounding
  folder_.write("d.jpg", photo(4, 0, 160));   // or one of them
  folder_.write("e.jpg", photo(5, 40, 0));
  folder_.write("f.jpg", photo(6, 25, 0));
  const PhotoSet set = look();
  ASSERT_EQ(set.photos.size(), 6u);
  EXPECT_EQ(set.photos[0].exif.focal_mm, set.photos[1].exif.focal_mm);
  EXPECT_EQ(set.groups, 4);
  EXPECT_EQ(set.photos[0].group, set.photos[2].group);
  EXPECT_EQ(set.photos[0].group, set.photos[5].group);
}

TEST_F(PhotosTest, WhatCannotBeUsedIsNamed) {
  write("a.jpg", wavy_picture(64, 48, 3, 1));
  write("b.jpg", wavy_picture(64, 48, 3, 1));
  folder_.write("broken.jpg", "\xFF\xD8\xFF and no more");
  folder_.write("empty.png", "");
  folder_.write("raw/IMG_1.dng", "II*");
  folder_.write("a.CR2", "beside its JPEG");
  folder_.write("notes.txt", "no photo");
  const PhotoSet set = look();
  EXPECT_EQ(names(set), (std::vector<std::string>{"a.jpg"}));
  EXPECT_EQ(set.duplicates, (std::vector<std::string>{"b.jpg (as a.jpg)"}));
  ASSERT_EQ(set.unreadable.size(), 2u);
  EXPECT_NE(set.unreadable[0].find("broken.jpg"), std::string::npos);
  EXPECT_NE(set.unreadable[1].find("empty.png"), std::string::npos);
  EXPECT_EQ(set.unread, (std::vector<std::string>{"raw/IMG_1.dng"}));
}

TEST_F(PhotosTest, HiddenCopiesAndThumbnailsAreNoPhotos) {
  write("a.jpg", wavy_picture(64, 48, 3, 1));
  write(".ipynb_checkpoints/a-checkpoint.jpg", wavy_picture(64, 48, 3, 1));
  write("@eaDir/a.jpg/SYNOPHOTO_THUMB_M.jpg", wavy_picture(32, 24, 3, 1));
  write(".thumbnails/b.jpg", wavy_picture(32, 24, 3, 2));
  folder_.write("._a.jpg", "of a file system without forks");
  const PhotoSet set = look();
  EXPECT_EQ(names(set), (std::vector<std::string>{"a.jpg"}));
  EXPECT_TRUE(set.duplicates.empty());
  EXPECT_TRUE(set.unreadable.empty());
}

TEST_F(PhotosTest, BlurredPhotosAreNamed) {
  for (int i = 0; i < 5; ++i) write("sharp" + std::to_string(i) + ".png", checkers(200 + i, 150, 7));
  write("soft.png", box_blurred(checkers(200, 150, 7), 3));
  EXPECT_EQ(look().blurred, (std::vector<std::string>{"soft.png"}));
}

TEST_F(PhotosTest, ADatasetsFoldersAreUnderstood) {
  write("images/sub/a.jpg", wavy_picture(64, 48, 3, 1));
  write("images/b.jpg", wavy_picture(64, 48, 3, 2));
  write("images_2/b.jpg", wavy_picture(32, 24, 3, 2));
  write("masks/b.png", wavy_picture(64, 48, 1, 3));
  write("elsewhere.jpg", wavy_picture(64, 48, 3, 4));
  const PhotoSet set = look();
  EXPECT_EQ(set.root, folder_.path() / "images");
  EXPECT_EQ(names(set), (std::vector<std::string>{"b.jpg", "sub/a.jpg"}));
  EXPECT_EQ(set.photos[0].mask, folder_.path() / "masks/b.png");
  EXPECT_TRUE(set.photos[1].mask.empty());
}

TEST_F(PhotosTest, MasksAmongThePhotosAreNoPhotos) {
  write("a.jpg", wavy_picture(64, 48, 3, 1));
  write("masks/a.jpg.png", wavy_picture(64, 48, 1, 3));
  for (const char* name : {"a.depth.png", "dynamic_mask_a.png"}) write(name, wavy_picture(64, 48, 1, 4));
  const PhotoSet set = look();
  EXPECT_EQ(names(set), (std::vector<std::string>{"a.jpg"}));
  EXPECT_EQ(set.photos[0].mask, folder_.path() / "masks/a.jpg.png");
}

TEST_F(PhotosTest, ColmapGetsNamesThatFitIntoItsLists) {
  write("a b.jpg", wavy_picture(64, 48, 3, 1));
  write("Tür/ö.png", wavy_picture(64, 48, 4, 2));
  folder_.write("c.bmp", *io::read_file(test_paths::source() / "tests/fuzz/corpus/photo/top_down.bmp"));
  write("masks/a b.png", wavy_picture(64, 48, 1, 3));
  const PhotoSet set = look();
  const fs::path work = folder_.path() / "work";
  for (int twice = 0; twice < 2; ++twice) ASSERT_TRUE(make_working_folder(set, work).ok());
  EXPECT_EQ(working_name(set, 0), "000001.png");
  EXPECT_EQ(working_name(set, 2), "000003.jpg");
  EXPECT_EQ(*io::read_file(work / "photos/000001.png"), *io::read_file(folder_.path() / "Tür/ö.png"));
  EXPECT_EQ(*io::read_file(work / "photos/000002.jpg"), *io::read_file(folder_.path() / "a b.jpg"));
  EXPECT_EQ(io::read_image_size(work / "photos/000003.jpg")->width,
            io::read_image_size(folder_.path() / "c.bmp")->width);
  EXPECT_EQ(io::read_file(work / "photos/000003.jpg")->substr(0, 2), "\xFF\xD8");
  EXPECT_TRUE(fs::exists(work / "masks/000002.jpg.png"));
  EXPECT_FALSE(fs::exists(work / "masks/000001.png.png"));
}

TEST_F(PhotosTest, LookingCanBeCancelled) {
  write("a.jpg", wavy_picture(64, 48, 3, 1));
  LookOptions options;
  options.cancelled = [] { return true; };
  EXPECT_FALSE(look_at_photos(folder_.path(), options).ok());
  EXPECT_FALSE(look_at_photos(folder_.path() / "none", {}).ok());
}

TEST(PictureLook, LikenessIsSeen) {
  const PictureLook a = look_at(wavy_picture(640, 480, 3, 1)), b = look_at(wavy_picture(640, 480, 3, 2));
  EXPECT_EQ(difference(a, a), 0);
  EXPECT_GT(difference(a, b), 2);
  EXPECT_GT(look_at(checkers(300, 200, 7)).sharpness, 4 * look_at(box_blurred(checkers(300, 200, 7), 2)).sharpness);
}

}  // namespace
}  // namespace align
