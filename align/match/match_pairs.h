// Matches pairs of photos on all cores: descriptors from COLMAP's database, matches into a file (matches_file.h).
// A run that is cut short goes on with the pairs that are missing. Memory: all descriptors, 0.5 MB for 4096 features.
#pragma once

#include <functional>
#include <span>

#include "align/colmap/database.h"
#include "align/match/matches_file.h"

namespace align {

struct MatchPairsOptions {
  int threads = 0;  // 0: every core
  MatchRule rule;
  std::function<bool()> cancelled;
  std::function<void(size_t done, size_t total)> progress;  // about once a second
};

// False: cancelled.
splat::Result<bool> match_pairs(ColmapDatabase& database, std::span<const ImagePair> pairs, MatchesFile& file,
                                const MatchPairsOptions& options);

// Puts the matches of `pairs` from the file into the database, for COLMAP to verify.
splat::Status hand_over(ColmapDatabase& database, std::span<const ImagePair> pairs, const MatchesFile& file);

}  // namespace align
