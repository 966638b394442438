// Lists of pairs that the stages from matching on share.
#pragma once

#include <span>
#include <vector>

#include "align/stages/job.h"

namespace align {

// All up to kAllPairsUpTo photos; beyond, the likely ones.
splat::Result<std::vector<ImagePair>> choose_pairs(Job& job, ColmapDatabase& database,
                                                   const std::vector<DatabaseImage>& images);

// "000001.jpg 000002.jpg", as matches_importer reads it.
splat::Status write_pair_list(const Job& job, const std::filesystem::path& file, std::span<const ImagePair> pairs,
                              const std::vector<DatabaseImage>& images);

// Has COLMAP verify pairs whose matches are in its database, with as many trials at most.
StageEnd verify_pairs(Job& job, std::span<const ImagePair> pairs, int trials);

// Photos that found no place yet are matched once more by a wider rule, and those pairs verified anew. Only after our
// own matcher.
StageEnd rematch_missing(Job& job);

// The key of the matches file.
uint64_t features_key(const Job& job, const std::vector<DatabaseImage>& images);

}  // namespace align
