// Which pairs are compared, and that photos of one place are found among many.
#include "align/match/retrieval.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "splat/core/random.h"
#include "tests/align/small_database.h"
#include "tests/support/temp_folder.h"

namespace align {
namespace {

std::vector<DatabaseImage> images_named(size_t count) {
  std::vector<DatabaseImage> images;
  for (uint32_t i = 1; i <= count; ++i) images.push_back({i, 1, std::to_string(i), 100});
  return images;
}

bool has(const std::vector<ImagePair>& pairs, ImagePair pair) {
  return std::binary_search(pairs.begin(), pairs.end(), pair);
}

TEST(Pairs, AllAndThoseOfAFilm) {
  EXPECT_EQ(all_pairs(images_named(10)).size(), 45u);
  const auto film = sequential_pairs(images_named(100), 3);
  EXPECT_TRUE(has(film, {1, 4}));
  EXPECT_FALSE(has(film, {1, 6}));
  EXPECT_TRUE(has(film, {1, 9}));   // 2^3 further on
  EXPECT_TRUE(has(film, {1, 65}));  // 2^6
  EXPECT_EQ(merged({{1, 2}, {3, 4}}, {{3, 4}, {2, 3}}), (std::vector<ImagePair>{{1, 2}, {2, 3}, {3, 4}}));
}

// Photos of 8 places; a place has features of its own.
TEST(Retrieval, PhotosOfOnePlaceFindEachOther) {
  constexpr uint32_t kPlaces = 8, kOfEach = 5;
  const splat::test::TempFolder folder;
  test::SmallDatabase made(folder.path() / "d.db", true);
  splat::random::Sequence random(3, splat::random::kTest);
  for (uint32_t i = 0; i < kPlaces * kOfEach; ++i) {
    const uint32_t place = (i * 3) % kPlaces;  // not neighbours by name
    std::vector<uint8_t> descriptors;
    for (uint32_t feature = 0; feature < 60; ++feature) {
      splat::random::Sequence of_feature(1000 + place * 100 + feature % 50, splat::random::kTest);
      for (int k = 0; k < 128; ++k) {
        const float value = of_feature.uniform();
        descriptors.push_back(uint8_t(110 * value * value + 6 * random.uniform()));
      }
    }
    made.add_image(int(i + 1), std::to_string(100 + i), descriptors);
  }
  auto database = ColmapDatabase::open(folder.path() / "d.db");
  const auto images = database->images();
  RetrievalOptions options;
  options.neighbours = kOfEach - 1;
  options.by_name = 1;
  const auto pairs = similar_pairs(*database, *images, options);
  ASSERT_TRUE(pairs.ok());
  size_t wanted = 0, found = 0;
  for (uint32_t i = 0; i < kPlaces * kOfEach; ++i)
    for (uint32_t j = i + 1; j < kPlaces * kOfEach; ++j)
      if ((i * 3) % kPlaces == (j * 3) % kPlaces) {
        ++wanted;
        found += has(*pairs, {i + 1, j + 1});
      }
  EXPECT_EQ(wanted, 80u);
  EXPECT_GE(found, 76u);
  EXPECT_LT(pairs->size(), 40u * 39 / 2 / 2);
  const auto again = similar_pairs(*database, *images, options);
  EXPECT_EQ(*again, *pairs);
}

}  // namespace
}  // namespace align
