// Files that a transforms.json names by the paths of another machine, or of a folder that was moved or renamed since:
// found below the dataset by the longest common end of the two paths, whatever the case of letters and the extension.
#pragma once

#include <filesystem>
#include <set>
#include <string_view>
#include <vector>

namespace io {

struct MovedFiles {
  std::vector<std::filesystem::path> written;  // absolute, or below the dataset
  bool (*fits)(std::string_view name) = {};    // which files of the dataset could be meant
  size_t least = 1;                            // parts that the paths must have in common, with the file's name
  std::set<std::filesystem::path> taken{};     // files that are there for others, lexically normal
};

// Where each lies now below `root`; empty: not found, or not clearly so. The files of a folder were moved together:
// what most of them say holds for all. No file stands for two paths: it is that with the longest common end, and where
// two are as good neither is found. Cost: a listing of `root`.
std::vector<std::filesystem::path> find_moved(const std::filesystem::path& root, const MovedFiles& files);

}  // namespace io
