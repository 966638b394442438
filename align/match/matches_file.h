// The matches of all pairs so far, in a file of our own: COLMAP 3.8 deletes a pair's matches before it verifies them,
// and would search them again, slowly, after a run that was killed in between. Appended as they are found; what a
// killed run left half written at the end is dropped when the file is opened again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <vector>

#include "align/colmap/database.h"
#include "splat/core/result.h"

namespace align {

class MatchesFile {
 public:
  // Appends to the file if it has the same `key` (a hash of the features and the matching rule); else starts a new one.
  static splat::Result<MatchesFile> open(const std::filesystem::path& path, uint64_t key);

  bool contains(ImagePair pair) const { return places_.contains(pair); }
  size_t pairs() const { return places_.size(); }
  // The number of matches of each pair, including pairs without any.
  std::map<ImagePair, uint32_t> counts() const;
  splat::Result<std::vector<Match>> read(ImagePair pair) const;  // requires contains(pair)

  splat::Status append(std::span<const ColmapDatabase::PairMatches> pairs);

 private:
  struct Place {
    uint64_t offset = 0;  // of the matches
    uint32_t count = 0;
  };
  splat::Status read_places(uint64_t file_bytes);

  std::filesystem::path path_;
  std::map<ImagePair, Place> places_;
  uint64_t end_ = 0;  // bytes
};

}  // namespace align
