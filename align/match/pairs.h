// Which photos are compared with which.
#pragma once

#include <cstddef>
#include <vector>

#include "align/colmap/database.h"

namespace align {

inline constexpr size_t kAllPairsUpTo = 150;  // photos; beyond, the likely pairs are looked for

// Every photo with every other.
std::vector<ImagePair> all_pairs(const std::vector<DatabaseImage>& images);

// Frames of a film, in the order given: each with the next `overlap`, and with those 2^k further on.
std::vector<ImagePair> sequential_pairs(const std::vector<DatabaseImage>& images, size_t overlap);

// Both sorted, without repetition.
std::vector<ImagePair> merged(std::vector<ImagePair> a, const std::vector<ImagePair>& b);

}  // namespace align
