// Why photos found no place, from what COLMAP's database knows: which pairs share something, and what they share.
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
  std::vector<std::vector<std::string>> islands;  // photos that hang together, the largest first
  std::vector<std::string> alone;                 // photos that share nothing with any other
  size_t pairs = 0, turned_only = 0;              // verified pairs, and those that a rotation explains
  // Photos that clearly show the same things, in both directions.
  std::map<std::string, std::set<std::string>> clear;
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

// What is behind a failure that COLMAP words otherwise, since it goes on without what it could not write: its working
// folder is gone, or nearly nothing of the disk is left. Empty: neither. `available`: bytes, of
// std::filesystem::space().
std::string lack_of_room(const std::filesystem::path& folder, uint64_t available);

}  // namespace align
