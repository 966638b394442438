#include "app/jobs/training/masked_photos.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/tiny_dataset.h"

namespace app::masked_photos_test {
namespace {

using splat::TrainingImage;
using Bytes = std::vector<uint8_t>;

constexpr int kWidth = 5, kHeight = 3;  // 15 pixels: not a multiple of 8

TrainingImage photo(uint8_t grey) {
  TrainingImage image;
  image.width = kWidth, image.height = kHeight;
  image.rgb.assign(3 * kWidth * kHeight, grey);
  return image;
}

// Photos 0 to 3: without a mask, with one that lets all but the last pixel count, with depths, and one that the mask
// leaves as it is.
struct Photos {
  splat::test::MemoryImages* images = nullptr;
  std::unique_ptr<splat::ImageSource> source;
  int asked = 0;

  Photos() {
    auto own = std::make_unique<splat::test::MemoryImages>();
    for (uint8_t i = 0; i < 4; ++i) own->photos.push_back(photo(i));
    own->photos[1].mask.assign(kWidth * kHeight, 255);
    own->photos[1].mask.back() = 0;
    own->photos[2].depth.assign(kWidth * kHeight, 9);
    images = own.get();
    source = masked_photos(std::move(own), [this](int view, int width, int height, Bytes& counts) {
      ++asked;
      EXPECT_EQ(counts.size(), size_t(width * height));
      if (view != 3) counts[size_t(view)] = 0, counts[9] = 0;
    });
  }
  const TrainingImage& get(int view) {
    auto taken = source->get(view);
    EXPECT_TRUE(taken.ok());
    return **taken;
  }
};

Bytes all_but(std::initializer_list<size_t> pixels) {
  Bytes mask(kWidth * kHeight, 255);
  for (const size_t p : pixels) mask[p] = 0;
  return mask;
}

TEST(MaskedPhotos, MasksComeOnTopOfThePhotosOwn) {
  Photos photos;
  for (int again = 0; again < 3; ++again) {
    EXPECT_EQ(photos.get(0).mask, all_but({0, 9}));
    EXPECT_EQ(photos.get(1).mask, all_but({1, 9, 14}));
    EXPECT_EQ(photos.get(3).mask, Bytes());
    EXPECT_EQ(photos.get(2).mask, all_but({2, 9}));
    EXPECT_EQ(photos.get(2).mask, all_but({2, 9}));
  }
  EXPECT_EQ(photos.asked, 4) << "once a view";
}

TEST(MaskedPhotos, PhotosAreNotCopiedAndGetTheirMasksBack) {
  Photos photos;
  EXPECT_EQ(&photos.get(1), &photos.images->photos[1]);
  photos.get(0);
  EXPECT_EQ(photos.images->photos[1].mask, all_but({14}));
  photos.get(3);
  EXPECT_EQ(photos.images->photos[0].mask, Bytes());
}

TEST(MaskedPhotos, WhatDoesNotCountHasNoDepth) {
  Photos photos;
  const TrainingImage& image = photos.get(2);
  for (size_t p = 0; p < image.depth.size(); ++p) EXPECT_EQ(image.depth[p], p == 2 || p == 9 ? 0 : 9) << p;
}

TEST(MaskedPhotos, AnotherSizeIsAnotherMask) {
  Photos photos;
  photos.get(0);
  photos.images->photos[0] = photo(0);
  photos.images->photos[0].width = 3, photos.images->photos[0].height = 5;
  EXPECT_EQ(photos.get(0).mask, all_but({0, 9}));
  EXPECT_EQ(photos.asked, 2);
}

TEST(MaskedPhotos, AnErrorLeavesAllAsItWas) {
  Photos photos;
  photos.get(0);
  photos.images->broken_view = 1;
  EXPECT_FALSE(photos.source->get(1).ok());
  EXPECT_EQ(photos.images->photos[0].mask, Bytes());
  EXPECT_EQ(photos.get(2).mask, all_but({2, 9}));
}

}  // namespace
}  // namespace app::masked_photos_test
