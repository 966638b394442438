// Why photos were not registered, from the matches in COLMAP's database.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "align/colmap/database.h"

namespace align {

struct PhotoGraph {
  std::vector<std::vector<std::string>> components;             // connected photos, the largest first
  std::vector<std::string> isolated;                            // photos without a match
  size_t pairs = 0, rotation_only = 0;                          // verified pairs, and those explained by a rotation
  std::map<std::string, std::set<std::string>> strong_matches;  // in both directions
};

// `names`: the photos' own, by the database's. Pairs with at least kLeastInliers count.
PhotoGraph graph_of(const std::vector<DatabaseImage>& images, const std::map<ImagePair, Verified>& verified,
                    const std::map<std::string, std::string>& names);

// One or two sentences about why only `registered` of the photos (0: none) found their place, and what would help.
// `missing`: the names of the others.
std::string explain(const PhotoGraph& graph, size_t photos, size_t registered,
                    const std::vector<std::string>& missing = {});

// "IMG_3.jpg (next to IMG_2.jpg)" for the first few that are missing, by the sorted list of all.
std::string missing_beside(const std::vector<std::string>& all, const std::vector<std::string>& missing);

// The reason of a failure that COLMAP words otherwise: its working folder is gone, or the disk is nearly full. Empty:
// neither. `available`: bytes, of std::filesystem::space().
std::string lack_of_room(const std::filesystem::path& folder, uint64_t available);

}  // namespace align
