// The rules of the source tree that no compiler checks: who may include whom, and what may be committed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = test_paths::source();
constexpr uintmax_t kMaxTrackedBytes = uintmax_t(2) << 20;

struct Include {
  std::string file;  // relative to the root
  int line = 0;
  std::string header;  // as written, without quotes or brackets
  bool quoted = false;
};

bool is_source(const fs::path& path) {
  static const std::vector<std::string> extensions{".h", ".cpp", ".hip", ".inl"};
  return std::find(extensions.begin(), extensions.end(), path.extension().string()) != extensions.end();
}

// "#include <x>" or "#include "x"" of one line.
std::optional<std::pair<std::string, bool>> include_of(const std::string& line) {
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

std::vector<Include> all_includes() {
  std::vector<Include> includes;
  for (const char* folder : {"app", "splat", "knn", "io", "viewer"}) {
    if (!fs::exists(kRoot / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      std::ifstream file(entry.path());
      int number = 0;
      for (std::string line; std::getline(file, line);) {
        ++number;
        if (auto include = include_of(line))
          includes.push_back(
              {fs::relative(entry.path(), kRoot).generic_string(), number, include->first, include->second});
      }
    }
  }
  return includes;
}

// One row a folder: the first row whose prefix fits a file says which of our headers it may include (by prefix).
struct Permission {
  std::string folder;
  std::vector<std::string> may;
};

const std::vector<Permission>& permissions() {
  static const std::vector<Permission> rows{
      {"knn/", {"knn/"}},
      {"splat/core/", {"splat/core/"}},
      {"splat/math/", {"splat/math/", "splat/core/hd.h"}},
      {"splat/model/", {"splat/model/", "splat/core/", "splat/math/"}},
      {"splat/edit/", {"splat/edit/", "splat/model/", "splat/core/", "splat/math/"}},
      {"splat/backend/cpu/",
       {"splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/backend/adam_step.h",
        "splat/backend/loss_mean.h", "splat/backend/cpu/"}},
      {"splat/backend/gpu/",
       {"splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/backend/adam_step.h",
        "splat/backend/loss_mean.h", "splat/backend/gpu/"}},
      {"splat/backend/reference/",
       {"splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/backend/reference/"}},
      {"splat/backend/", {"splat/core/", "splat/math/", "splat/model/", "splat/backend/"}},
      {"splat/loss/", {"splat/core/", "splat/math/", "splat/model/", "splat/loss/"}},
      {"splat/metrics/", {"splat/core/", "splat/math/", "splat/model/", "splat/metrics/"}},
      {"splat/optim/", {"splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/optim/"}},
      {"splat/densify/", {"splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/densify/"}},
      {"splat/train/",
       {"splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/densify/", "splat/optim/",
        "splat/loss/", "splat/metrics/", "splat/train/", "knn/"}},
      {"splat/", {"splat/"}},
      {"io/", {"io/", "splat/core/", "splat/math/", "splat/model/"}},
      {"viewer/",
       {"viewer/", "splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/backend/registry.h",
        "splat/train/progress"}},
      {"app/", {"app/", "splat/", "knn/", "io/", "viewer/"}},
  };
  return rows;
}

const Permission* permission_of(const std::string& file) {
  for (const Permission& row : permissions())
    if (file.starts_with(row.folder)) return &row;
  return nullptr;
}

bool ours(const std::string& header) {
  for (const char* folder : {"app/", "splat/", "knn/", "io/", "viewer/"})
    if (header.starts_with(folder)) return true;
  return false;
}

std::vector<std::string> tracked_files() {
  std::vector<std::string> files;
  const std::string command = "git -C '" + kRoot.string() + "' ls-files -z 2>/dev/null";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return files;
  std::string name;
  for (int c; (c = std::fgetc(pipe)) != EOF;) {
    if (c != 0) {
      name += char(c);
      continue;
    }
    files.push_back(name);
    name.clear();
  }
  pclose(pipe);
  return files;
}

TEST(Rules, EveryFolderIncludesOnlyWhatItMay) {
  const std::vector<Include> includes = all_includes();
  ASSERT_GT(includes.size(), 50u) << "the sources were not found under " << kRoot;
  for (const Include& include : includes) {
    if (!ours(include.header)) continue;
    const Permission* row = permission_of(include.file);
    ASSERT_NE(row, nullptr) << include.file;
    const bool allowed = std::any_of(row->may.begin(), row->may.end(),
                                     [&](const std::string& prefix) { return include.header.starts_with(prefix); });
    EXPECT_TRUE(allowed) << include.file << ":" << include.line << " includes \"" << include.header << "\", which "
                         << row->folder << " must not";
  }
}

TEST(Rules, OurHeadersAreIncludedByTheirFullPathInQuotes) {
  for (const Include& include : all_includes()) {
    const bool exists = fs::exists(kRoot / include.header);
    EXPECT_EQ(include.quoted, exists) << include.file << ":" << include.line << ": \"" << include.header
                                      << "\" (quotes are for headers of this tree, named from its root)";
  }
}

TEST(Rules, WindowAndGraphicsHeadersStayInTheViewer) {
  for (const Include& include : all_includes()) {
    if (include.file.starts_with("viewer/")) continue;
    for (const char* forbidden : {"GL/", "GLES", "EGL/", "glad/", "GLFW/", "imgui"})
      EXPECT_FALSE(include.header.starts_with(forbidden)) << include.file << ":" << include.line;
  }
}

// What needs no display must stay so: navigation, sorting, live pictures, and what crosses between threads.
TEST(Rules, NoOpenGlBelowTheWindow) {
  for (const Include& include : all_includes()) {
    bool below = false;
    for (const char* part : {"viewer/camera/", "viewer/live/", "viewer/depth_order", "viewer/pick", "viewer/mailbox.h",
                             "viewer/commands.h", "viewer/app_state.h", "viewer/draw/packed_splats"})
      below = below || include.file.starts_with(part);
    if (!below) continue;
    for (const char* forbidden : {"GL/", "glad/", "GLFW/", "imgui"})
      EXPECT_FALSE(include.header.starts_with(forbidden)) << include.file << ":" << include.line;
  }
}

TEST(Rules, EveryShaderSaysWhatItIs) {
  size_t shaders = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "shaders")) {
    std::ifstream file(entry.path());
    std::string version, comment;
    std::getline(file, version);
    std::getline(file, comment);
    EXPECT_EQ(version, "#version 330 core") << entry.path();
    EXPECT_TRUE(comment.starts_with("// ")) << entry.path() << " does not begin with a comment saying what it is";
    ++shaders;
  }
  EXPECT_GT(shaders, 3u);
}

TEST(Rules, EveryHeaderHasPragmaOnceAndAContract) {
  for (const char* folder : {"app", "splat", "knn", "io", "viewer"}) {
    if (!fs::exists(kRoot / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (entry.path().extension() != ".h") continue;
      std::ifstream file(entry.path());
      std::string first, line;
      std::getline(file, first);
      EXPECT_TRUE(first.starts_with("//")) << entry.path() << " does not begin with a comment saying what it is";
      bool once = false;
      while (!once && std::getline(file, line)) once = line == "#pragma once";
      EXPECT_TRUE(once) << entry.path() << " lacks #pragma once";
    }
  }
}

TEST(Rules, NoLargeFileIsCommittedOutsideAssets) {
  const std::vector<std::string> files = tracked_files();
  if (files.empty()) GTEST_SKIP() << "not a git checkout";
  for (const std::string& file : files) {
    std::error_code code;
    const uintmax_t bytes = fs::file_size(kRoot / file, code);
    if (code || file.starts_with("assets/")) continue;
    EXPECT_LE(bytes, kMaxTrackedBytes) << file;
  }
}

TEST(Rules, NothingBuiltIsCommitted) {
  const std::vector<std::string> files = tracked_files();
  if (files.empty()) GTEST_SKIP() << "not a git checkout";
  for (const std::string& file : files)
    for (const char* extension : {".o", ".a", ".so", ".pyc"})
      EXPECT_FALSE(file.ends_with(extension)) << file << " is a build product";
}

}  // namespace
