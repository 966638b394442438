// Photos that were posed upright and are stored on their side, with an EXIF orientation that says so.
#include <gtest/gtest.h>

#include "io/dataset/load_dataset.h"
#include "io/dataset/training_image.h"
#include "io/images/upright.h"
#include "tests/io/dataset/small_scene.h"

namespace {

using io::load_dataset, io::load_training_image, io::upright;
using splat::Image8;
using splat::test::any_mentions, splat::test::mentions, splat::test::SmallScene;

// Left dark, right bright, and a bright stripe at the top: no turn of it is like another.
Image8 upright_picture() {
  Image8 image{64, 48, 1, {}};
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x) image.pixels.push_back(x >= 40 || y < 8 ? 200 : 20);
  return image;
}

// By what a viewer does to it: orientation 6 turns to the right by 90 degrees, 8 to the left, 3 by half a turn.
Image8 stored_for(int orientation, Image8 image) {
  constexpr int kInverse[] = {0, 1, 2, 3, 4, 5, 8, 7, 6};
  image.pixels = upright(image.pixels, image.width, image.height, image.channels, kInverse[orientation]);
  return image;
}

std::string tiff_with(int orientation) {
  const std::string tiff("II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0", 18);
  return tiff + char(orientation) + std::string(7, '\0');
}

// As some programs write it: behind the picture.
std::string png_with(int orientation, std::string png) {
  const std::string tiff = tiff_with(orientation);
  const std::string chunk = std::string(3, '\0') + char(tiff.size()) + "eXIf" + tiff + std::string(4, '\0');
  return png.insert(png.size() - 12, chunk);
}

std::string jpeg_with(int orientation, const Image8& image) {
  const std::string jpeg = io::encode_jpeg(image, 95);
  const std::string body = std::string("Exif\0\0", 6) + tiff_with(orientation);
  return jpeg.substr(0, 2) + "\xff\xe1" + char(0) + char(body.size() + 2) + body + jpeg.substr(2);
}

void expect_upright(const splat::TrainingImage& image) {
  ASSERT_EQ(image.width, 64);
  ASSERT_EQ(image.height, 48);
  const auto at = [&](int x, int y) { return int(image.rgb[size_t(y) * 64 + size_t(x)]); };
  EXPECT_NEAR(at(55, 40), 200, 12);
  EXPECT_NEAR(at(10, 3), 200, 12);
  EXPECT_NEAR(at(10, 40), 20, 12);
  EXPECT_NEAR(at(30, 20), 20, 12);
}

TEST(Upright, EveryOrientationAsExifDefinesIt) {
  const std::vector<int> stored{1, 2, 3, 4, 5, 6};  // 1 2 3 above 4 5 6
  const std::vector<int> expected[] = {{1, 2, 3, 4, 5, 6}, {3, 2, 1, 6, 5, 4}, {6, 5, 4, 3, 2, 1}, {4, 5, 6, 1, 2, 3},
                                       {1, 4, 2, 5, 3, 6}, {4, 1, 5, 2, 6, 3}, {6, 3, 5, 2, 4, 1}, {3, 6, 2, 5, 1, 4}};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    int width = 3, height = 2;
    EXPECT_EQ(upright(stored, width, height, 1, orientation), expected[orientation - 1]) << orientation;
    EXPECT_EQ(width, orientation < 5 ? 3 : 2);
  }
}

TEST(Orientation, PhotosThatFitOnlyTurnedAreTurned) {
  SmallScene scene({"a.jpg", "b.jpg", "c.jpg", "d.jpg"});
  int i = 0;
  for (const int orientation : {6, 8, 3, 1})
    scene.write(std::string("images/") + char('a' + i++) + ".jpg",
                jpeg_with(orientation, stored_for(orientation, upright_picture())));
  const auto dataset = load_dataset(scene.path(), {});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  ASSERT_EQ(dataset->views.size(), 4u);
  EXPECT_TRUE(any_mentions(dataset->notes, "3 photos are turned as their EXIF orientation says"));
  for (const splat::DatasetView& view : dataset->views) {
    const auto image = load_training_image(view);
    ASSERT_TRUE(image.ok()) << image.error().message;
    expect_upright(*image);
  }
}

TEST(Orientation, PngsSayItAsWell) {
  SmallScene scene({"a.png", "b.png", "c.png"});
  int i = 0;
  for (const int orientation : {6, 8, 3})
    scene.write(std::string("images/") + char('a' + i++) + ".png",
                png_with(orientation, io::encode_png(stored_for(orientation, upright_picture()))));
  const auto dataset = load_dataset(scene.path(), {});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  for (const splat::DatasetView& view : dataset->views) expect_upright(*load_training_image(view));
}

TEST(Orientation, PhotosThatFitAsTheyAreStoredStaySo) {
  SmallScene scene({"a.jpg", "b.jpg"});
  for (const char* name : {"images/a.jpg", "images/b.jpg"}) scene.write(name, jpeg_with(3, upright_picture()));
  const auto dataset = load_dataset(scene.path(), {});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  ASSERT_EQ(dataset->notes.size(), 1u);
  EXPECT_TRUE(mentions(dataset->notes[0],
                       "2 photos have an EXIF orientation and would fit turned as well as stored; "
                       "taken as stored: a.jpg, b.jpg"));
  expect_upright(*load_training_image(dataset->views[0]));
  SmallScene square({"a.jpg", "b.jpg"}, "PINHOLE 48 48 60 60 24 24");
  for (const char* name : {"images/a.jpg", "images/b.jpg"})
    square.write(name, jpeg_with(6, splat::test::flat_picture(48, 48, 3, 90)));
  EXPECT_TRUE(any_mentions(load_dataset(square.path(), {})->notes, "2 photos have an EXIF orientation"));
  SmallScene sure({"a.jpg"});  // of its two sides the camera shows which is meant
  sure.write("images/a.jpg", jpeg_with(6, upright_picture()));
  EXPECT_TRUE(load_dataset(sure.path(), {})->notes.empty());
}

TEST(Orientation, MasksAreTurnedByTheirOwnSizes) {
  SmallScene scene({"a.jpg", "b.jpg"});
  for (const char* name : {"images/a.jpg", "images/b.jpg"})
    scene.write(name, jpeg_with(6, stored_for(6, upright_picture())));
  Image8 mask{64, 48, 1, std::vector<uint8_t>(64 * 48, 255)};
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 16; ++x) mask.pixels[size_t(y) * 64 + size_t(x)] = 0;
  scene.write("masks/a.png", io::encode_png(mask));
  scene.write("masks/b.png", io::encode_png(stored_for(6, mask)));
  const auto dataset = load_dataset(scene.path(), {});
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  for (const splat::DatasetView& view : dataset->views) {
    const auto image = load_training_image(view);
    ASSERT_TRUE(image.ok()) << image.error().message;
    EXPECT_EQ(image->mask, mask.pixels) << view.name;
  }
}

// A mask or depth map that says so itself: beside a photo without a turn, or of half a turn, which no shape shows.
TEST(Orientation, MasksAndDepthMapsAreTurnedByTheirOwnExif) {
  SmallScene scene({"a.jpg", "b.jpg", "c.jpg"});
  scene.write("images/a.jpg", jpeg_with(1, upright_picture()));
  scene.write("images/b.jpg", jpeg_with(3, stored_for(3, upright_picture())));
  scene.write("images/c.jpg", jpeg_with(6, stored_for(6, upright_picture())));
  Image8 mask{64, 48, 1, std::vector<uint8_t>(64 * 48, 255)};
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 16; ++x) mask.pixels[size_t(y) * 64 + size_t(x)] = 0;
  scene.write("masks/a.png", png_with(8, io::encode_png(stored_for(8, mask))));
  scene.write("masks/b.png", png_with(3, io::encode_png(stored_for(3, mask))));
  scene.write("masks/c.png", io::encode_png(mask));
  io::Grey16 depth{48, 64, {}};
  const Image8 on_side = stored_for(6, mask);
  for (const uint8_t value : on_side.pixels) depth.pixels.push_back(value == 0 ? 1000 : 2000);
  scene.write("depths/a.png", png_with(6, io::encode_grey16_png(depth)));
  io::DatasetOptions options;
  options.depths = io::DepthMaps::kOn;
  const auto dataset = load_dataset(scene.path(), options);
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  for (const splat::DatasetView& view : dataset->views) {
    const auto image = load_training_image(view);
    ASSERT_TRUE(image.ok()) << image.error().message;
    EXPECT_EQ(image->mask, mask.pixels) << view.name;
    for (size_t i = 0; i < image->depth.size(); ++i) ASSERT_EQ(image->depth[i], mask.pixels[i] != 0 ? 2000 : 0);
  }
}

TEST(Orientation, WithoutExifATurnedPhotoIsRefused) {
  SmallScene scene({"a.png"});
  scene.write_photos(48, 64);
  const auto dataset = load_dataset(scene.path(), {});
  ASSERT_FALSE(dataset.ok());
  EXPECT_TRUE(mentions(dataset.error().message, "the photo was turned after the reconstruction was made"));
}

}  // namespace
