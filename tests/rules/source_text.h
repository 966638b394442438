// Which files are sources, and what a line of one includes.
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace splat::test {

inline bool is_source(const std::filesystem::path& path) {
  static const std::vector<std::string> extensions{".h", ".cpp", ".hip", ".inl"};
  return std::find(extensions.begin(), extensions.end(), path.extension().string()) != extensions.end();
}

// "#include <x>" or "#include "x"" of one line.
inline std::optional<std::pair<std::string, bool>> include_of(const std::string& line) {
  const size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return std::nullopt;
  const size_t word = line.find("include", hash);
  if (word == std::string::npos) return std::nullopt;
  const size_t open = line.find_first_of("\"<", word);
  if (open == std::string::npos) return std::nullopt;
  const size_t close = line.find(line[open] == '"' ? '"' : '>', open + 1);
  if (close == std::string::npos) return std::nullopt;
  return std::pair(line.substr(open + 1, close - open - 1), line[open] == '"');
}

}  // namespace splat::test
