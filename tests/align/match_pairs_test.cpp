// From descriptors in COLMAP's database to matches in it, over runs that were cut short.
#include "align/match/match_pairs.h"

#include <gtest/gtest.h>

#include <fstream>

#include "splat/core/random.h"
#include "tests/align/small_database.h"
#include "tests/support/temp_folder.h"

namespace align {
namespace {

std::vector<uint8_t> descriptors_like(int seed, size_t count) {
  splat::random::Sequence shared(1, splat::random::kTest), own(uint64_t(seed), splat::random::kTest);
  std::vector<uint8_t> bytes(count * kDescriptorBytes);
  for (uint8_t& byte : bytes) {
    const float value = shared.uniform();
    byte = uint8_t(105 * value * value + 4 * own.uniform());  // about 512 long
  }
  return bytes;
}

class MatchPairsTest : public testing::TestWithParam<bool> {
 protected:
  MatchPairsTest() : made_(folder_.path() / "database.db", GetParam()) {
    for (int id = 1; id <= 5; ++id) made_.add_image(id, "photo " + std::to_string(9 - id), descriptors_like(id, 60));
    for (uint32_t i = 1; i <= 5; ++i)
      for (uint32_t j = i + 1; j <= 5; ++j) pairs_.push_back({i, j});
  }
  ColmapDatabase open() { return std::move(*ColmapDatabase::open(folder_.path() / "database.db")); }
  MatchesFile open_file(uint64_t key = 7) { return std::move(*MatchesFile::open(file_, key)); }

  splat::test::TempFolder folder_;
  test::SmallDatabase made_;
  std::filesystem::path file_ = folder_.path() / "matches.bin";
  std::vector<ImagePair> pairs_;
};
INSTANTIATE_TEST_SUITE_P(Versions, MatchPairsTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Colmap4" : "Colmap38"; });

TEST_P(MatchPairsTest, ImagesAndDescriptorsAreRead) {
  ColmapDatabase database = open();
  made_.run("INSERT INTO images VALUES(9, 'without', 1)");
  const auto images = database.images();
  ASSERT_TRUE(images.ok());
  ASSERT_EQ(images->size(), 6u);
  EXPECT_EQ(images->front().name, "photo 4");
  EXPECT_EQ(images->front().id, 5u);
  EXPECT_EQ(images->front().features, 60u);
  EXPECT_EQ(images->back().features, 0u);
  EXPECT_EQ(*database.descriptors(2), descriptors_like(2, 60));
  EXPECT_TRUE(database.descriptors(9)->empty());
  made_.add_image(10, "other features", std::vector<uint8_t>(512), 256);
  const auto other = database.descriptors(10);
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("not SIFT's: image 10"), std::string::npos) << other.error().message;
}

TEST_P(MatchPairsTest, PairIdsAreThoseOfColmap) {
  EXPECT_EQ(pair_id_of({1, 2}), 2147483649u);  // seen in databases of 3.8 and 4.1
  EXPECT_EQ(pair_id_of({3, 17}), 3 * 2147483647ull + 17);
  EXPECT_EQ(pair_of_id(pair_id_of({3, 17})), (ImagePair{3, 17}));
}

TEST_P(MatchPairsTest, MatchesReachTheDatabase) {
  ColmapDatabase database = open();
  MatchesFile file = open_file();
  size_t reported = 0;
  MatchPairsOptions options;
  options.progress = [&](size_t done, size_t total) {
    reported = done;
    EXPECT_EQ(total, 10u);
  };
  ASSERT_TRUE(*match_pairs(database, pairs_, file, options));
  EXPECT_EQ(reported, 10u);
  ASSERT_TRUE(hand_over(database, pairs_, file).ok());
  EXPECT_EQ(made_.number("SELECT COUNT(*) FROM matches WHERE cols = 2 AND rows = 60 AND LENGTH(data) = 480"), 10);
  EXPECT_EQ(made_.number("SELECT COUNT(*) FROM matches WHERE pair_id = 8589934593"), 1);  // 4 and 5
  ASSERT_TRUE(hand_over(database, pairs_, file).ok());                                    // again, as after a kill
  EXPECT_EQ(made_.number("SELECT COUNT(*) FROM matches"), 10);
  made_.add_verified(pair_id_of({1, 2}), 44, 2);
  const auto verified = database.verified_pairs();
  ASSERT_EQ(verified->size(), 1u);
  EXPECT_EQ(verified->at({1, 2}).inliers, 44u);
  ASSERT_TRUE(database.remove_pairs().ok());
  EXPECT_EQ(made_.number("SELECT COUNT(*) FROM matches"), 0);
  EXPECT_TRUE(database.verified_pairs()->empty());
}

TEST_P(MatchPairsTest, ARunThatWasCutShortGoesOn) {
  ColmapDatabase database = open();
  std::vector<Match> expected;
  {
    MatchesFile file = open_file();
    ASSERT_TRUE(*match_pairs(database, std::span(pairs_).first(6), file, {}));
    expected = *file.read(pairs_[5]);
    EXPECT_EQ(expected.size(), 60u);
  }
  const auto bytes = std::filesystem::file_size(file_);
  std::filesystem::resize_file(file_, bytes - 5);  // the last pair was half written
  MatchesFile file = open_file();
  EXPECT_EQ(file.pairs(), 5u);
  EXPECT_TRUE(file.contains(pairs_[4]));
  EXPECT_FALSE(file.contains(pairs_[5]));
  size_t first_told = 0;
  MatchPairsOptions options;
  options.progress = [&](size_t done, size_t) { first_told = first_told ? first_told : done; };
  ASSERT_TRUE(*match_pairs(database, pairs_, file, options));
  EXPECT_EQ(first_told, 10u);
  EXPECT_EQ(*file.read(pairs_[5]), expected);
  EXPECT_EQ(open_file().counts().size(), 10u);
}

TEST_P(MatchPairsTest, AFlippedBitIsNoticed) {
  ColmapDatabase database = open();
  {
    MatchesFile file = open_file();
    ASSERT_TRUE(*match_pairs(database, pairs_, file, {}));
  }
  std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(16 + 16 + 480 + 16 + 3);  // in the second pair's matches
  file.put('\x55');
  file.close();
  EXPECT_EQ(open_file().pairs(), 1u);
}

TEST_P(MatchPairsTest, OtherFeaturesBeginAnew) {
  ColmapDatabase database = open();
  {
    MatchesFile file = open_file(7);
    ASSERT_TRUE(*match_pairs(database, pairs_, file, {}));
  }
  EXPECT_EQ(open_file(7).pairs(), 10u);
  EXPECT_EQ(open_file(8).pairs(), 0u);
}

TEST_P(MatchPairsTest, CancellingKeepsWhatWasFound) {
  ColmapDatabase database = open();
  MatchesFile file = open_file();
  MatchPairsOptions options;
  options.cancelled = [] { return true; };
  EXPECT_FALSE(*match_pairs(database, pairs_, file, options));
  EXPECT_EQ(file.pairs(), 0u);
}

TEST(ColmapDatabase, ABrokenFileIsAnError) {
  const splat::test::TempFolder folder;
  EXPECT_FALSE(ColmapDatabase::open(folder.path() / "none.db").ok());
  auto database = ColmapDatabase::open(folder.write("text.db", std::string(5000, 'x')));
  const bool refused = !database.ok() || !database->images().ok();
  EXPECT_TRUE(refused);
}

}  // namespace
}  // namespace align
