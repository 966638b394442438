// COLMAP's SQLite database (3.8 to 4.x): features in, matches out. Columns are named, since versions add some.
// A COLMAP that runs beside us may hold it locked for a moment: we wait up to a minute.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "align/match/matcher.h"
#include "splat/core/result.h"

struct sqlite3;

namespace align {

struct ImagePair {
  uint32_t first, second;  // COLMAP's image ids, first < second
  auto operator<=>(const ImagePair&) const = default;
};

uint64_t pair_id_of(ImagePair pair);
ImagePair pair_of_id(uint64_t pair_id);

struct DatabaseImage {
  uint32_t id = 0, camera_id = 0;
  std::string name;
  uint32_t features = 0;
};

struct Verified {
  uint32_t inliers = 0;
  int config = 0;  // COLMAP's: 2 calibrated, 3 uncalibrated, 4 planar, 5 panoramic, 6 planar or panoramic, ...
};
inline constexpr uint32_t kLeastInliers = 15;  // of a pair that counts, COLMAP's min_num_inliers

class ColmapDatabase {
 public:
  static splat::Result<ColmapDatabase> open(const std::filesystem::path& path);

  splat::Result<std::vector<DatabaseImage>> images();                  // sorted by name
  splat::Result<std::vector<uint8_t>> descriptors(uint32_t image_id);  // [n, 128]; SIFT alone
  splat::Result<std::map<ImagePair, Verified>> verified_pairs();       // those without inliers too
  splat::Status remove_pairs();                                        // all matches and what was verified
  splat::Status remove_pairs(std::span<const ImagePair> pairs);
  struct PairMatches {
    ImagePair pair;
    std::span<const Match> matches;  // first: feature of pair.first
  };
  splat::Status write_matches(std::span<const PairMatches> pairs);  // one transaction; replaces

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
  std::string name_;
};

}  // namespace align
