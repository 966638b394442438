// Sources include <algorithm> where they use it: which other standard headers bring it along differs between versions
// of the standard library, so that what compiles on one system does not on the next.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/rules/source_text.h"
#include "tests/support/test_paths.h"

namespace splat::test {
namespace {

namespace fs = std::filesystem;

struct Source {
  std::set<std::string> headers;
  std::string algorithm;  // a name that it uses, of those below
};

// Of functions that <algorithm> alone is certain to have.
bool is_algorithm(const std::string& name) {
  static const std::set<std::string> names{
      "adjacent_find", "all_of",        "any_of",      "binary_search", "clamp",       "copy",        "copy_backward",
      "copy_if",       "copy_n",        "count",       "count_if",      "equal",       "equal_range", "fill",
      "fill_n",        "find",          "find_if",     "find_if_not",   "for_each",    "generate",    "generate_n",
      "includes",      "is_sorted",     "lower_bound", "make_heap",     "max",         "max_element", "merge",
      "min",           "min_element",   "minmax",      "mismatch",      "none_of",     "nth_element", "partial_sort",
      "partition",     "pop_heap",      "push_heap",   "remove_if",     "replace",     "reverse",     "rotate",
      "search",        "shuffle",       "sort",        "stable_sort",   "swap_ranges", "transform",   "unique",
      "upper_bound",   "minmax_element"};
  return names.contains(name);
}

// The first name after "std::" or "std::ranges::" that is one of those and is called.
std::string algorithm_in(const std::string& line) {
  const std::string code = line.substr(0, line.find("//"));
  for (size_t at = code.find("std::"); at != std::string::npos; at = code.find("std::", at + 1)) {
    size_t begin = at + 5;
    if (code.compare(begin, 8, "ranges::") == 0) begin += 8;
    const size_t end = code.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", begin);
    std::string name = code.substr(begin, end - begin);
    if (end != std::string::npos && (code[end] == '(' || code[end] == '<') && is_algorithm(name)) return name;
  }
  return "";
}

Source read_source(const fs::path& path) {
  Source source;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (const auto include = include_of(line)) source.headers.insert(include->first);
    if (source.algorithm.empty()) source.algorithm = algorithm_in(line);
  }
  return source;
}

bool includes_algorithm(const std::map<std::string, Source>& sources, const std::string& file,
                        std::set<std::string>& seen) {
  const auto source = sources.find(file);
  if (source == sources.end() || !seen.insert(file).second) return false;
  if (source->second.headers.contains("algorithm")) return true;
  for (const std::string& header : source->second.headers)
    if (includes_algorithm(sources, header, seen)) return true;
  return false;
}

TEST(Rules, SourcesIncludeAlgorithmWhereTheyUseIt) {
  std::map<std::string, Source> sources;  // by their path from the root
  for (const char* folder : {"align", "app", "io", "knn", "library", "mesh", "splat", "tests", "viewer"})
    for (const auto& entry : fs::recursive_directory_iterator(test_paths::source() / folder)) {
      if (!is_source(entry.path())) continue;
      sources[fs::relative(entry.path(), test_paths::source()).generic_string()] = read_source(entry.path());
    }
  size_t users = 0;
  for (const auto& [file, source] : sources) {
    if (source.algorithm.empty()) continue;
    ++users;
    std::set<std::string> seen;
    EXPECT_TRUE(includes_algorithm(sources, file, seen))
        << file << " calls std::" << source.algorithm << ": let it include <algorithm>";
  }
  EXPECT_GT(users, 200u);
}

}  // namespace
}  // namespace splat::test
