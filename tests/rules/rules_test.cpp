// The rules of the source tree that no compiler checks: who may include whom, and what may be committed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/rules/source_text.h"
#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;
using splat::test::include_of;
using splat::test::is_source;

const fs::path kRoot = test_paths::source();
// The folders of the product's sources.
const std::vector<std::string> kRooms{"align",   "app",  "devices", "io",     "knn",
                                      "library", "mesh", "splat",   "studio", "viewer"};
constexpr uintmax_t kMaxTrackedBytes = uintmax_t(2) << 20;

struct Include {
  std::string file;  // relative to the root
  int line = 0;
  std::string header;  // as written, without quotes or brackets
  bool quoted = false;
};

std::vector<Include> all_includes() {
  std::vector<Include> includes;
  for (const std::string& folder : kRooms) {
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

// Whether a path fits a pattern: a prefix ("viewer/camera/", "splat/train/progress"), or, ending in "/*", the files of
// a folder without its sub-folders ("io/*").
bool fits(const std::string& path, const std::string& pattern) {
  if (!pattern.ends_with("/*")) return path.starts_with(pattern);
  const size_t folder = pattern.size() - 1;
  return path.starts_with(pattern.substr(0, folder)) && path.find('/', folder) == std::string::npos;
}

// One row a folder: the first row whose pattern fits a file says which of our headers it may include.
struct Permission {
  std::string files;
  std::vector<std::string> may;
};

const std::vector<Permission>& permissions() {  // NOLINT(readability-function-size): a table
  static const std::vector<Permission> rows{
      {"knn/", {"knn/"}},
      {"splat/core/", {"splat/core/"}},
      {"splat/math/", {"splat/math/", "splat/core/hd.h", "splat/core/random.h"}},
      {"splat/model/", {"splat/model/", "splat/core/", "splat/math/"}},
      {"splat/edit/", {"splat/edit/", "splat/model/", "splat/core/", "splat/math/"}},
      {"splat/registration/", {"splat/registration/", "splat/model/", "splat/core/", "splat/math/", "knn/"}},
      {"splat/stereo/",
       {"splat/stereo/", "splat/model/", "splat/core/", "splat/math/", "splat/backend/cpu/simd_level.h"}},
      {"splat/clean/",
       {"splat/clean/", "splat/edit/nearness.h", "splat/model/", "splat/core/", "splat/math/",
        "splat/backend/backend.h", "knn/"}},
      {"splat/path/", {"splat/path/", "splat/model/", "splat/core/", "splat/math/"}},
      {"splat/blocks/", {"splat/blocks/", "splat/model/", "splat/core/", "splat/math/sh.h", "splat/backend/backend.h"}},
      {"splat/backend/cpu/",
       {"splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/backend/adam_step.h",
        "splat/backend/contribution_sum.h", "splat/backend/iteration_state.h", "splat/backend/loss_mean.h",
        "splat/backend/noise_bits.h", "splat/backend/packed_moments.h", "splat/backend/parameter_rows.h",
        "splat/backend/row_copies.h", "splat/backend/row_looks.h", "splat/backend/surface_settings.h",
        "splat/backend/cpu/", "splat/raster/raster"}},
      {"splat/backend/gpu/",
       {"splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/backend/adam_step.h",
        "splat/backend/contribution_sum.h", "splat/backend/iteration_state.h", "splat/backend/loss_mean.h",
        "splat/backend/noise_bits.h", "splat/backend/packed_moments.h", "splat/backend/parameter_rows.h",
        "splat/backend/row_copies.h", "splat/backend/row_looks.h", "splat/backend/row_rules.h",
        "splat/backend/surface_settings.h", "splat/backend/gpu/", "splat/raster/raster",
        "splat/raster/triangles/checks.h", "splat/raster/triangles/rasteriser.h"}},
      {"splat/backend/reference/",
       {"splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/backend/iteration_state.h",
        "splat/backend/noise_bits.h", "splat/backend/parameter_rows.h", "splat/backend/row_copies.h",
        "splat/backend/row_looks.h", "splat/backend/surface_settings.h", "splat/backend/reference/",
        "splat/raster/raster"}},
      {"splat/backend/", {"splat/core/", "splat/math/", "splat/model/", "splat/backend/"}},
      {"splat/raster/triangles/",
       {"splat/raster/triangles/", "splat/core/", "splat/math/", "splat/backend/cpu/simd_level.h"}},
      {"splat/raster/", {"splat/raster/", "splat/core/", "splat/math/"}},
      {"splat/metrics/", {"splat/core/", "splat/math/", "splat/model/", "splat/metrics/"}},
      {"splat/optim/", {"splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/optim/"}},
      {"splat/densify/",
       {"splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/backend/row_rules.h",
        "splat/densify/", "knn/"}},
      {"splat/train/",
       {"splat/core/", "splat/math/", "splat/model/", "splat/backend/backend.h", "splat/backend/surface_settings.h",
        "splat/densify/", "splat/optim/", "splat/metrics/", "splat/stereo/matched_points.h", "splat/train/", "knn/"}},
      {"splat/", {"splat/"}},
      {"devices/",
       {"devices/", "splat/core/", "splat/model/", "splat/backend/", "splat/raster/raster.h",
        "splat/raster/triangles/rasteriser.h"}},
      // One folder a splat format: none knows another, but for the SPZ that a glTF file or a web page may hold.
      {"io/splats/common/", {"io/splats/common/", "io/*", "splat/core/", "splat/math/", "splat/model/"}},
      {"io/splats/gltf/",
       {"io/splats/gltf/", "io/splats/spz/spz.h", "io/splats/common/", "io/reconstruction/origin.h", "io/*",
        "splat/core/", "splat/math/", "splat/model/"}},
      {"io/splats/html/",
       {"io/splats/html/", "io/splats/spz/spz.h", "io/splats/common/", "io/*", "splat/core/", "splat/math/",
        "splat/model/"}},
      {"io/splats/ksplat/", {"io/splats/ksplat/", "io/splats/common/", "io/*", "splat/core/", "splat/model/"}},
      {"io/splats/ply/",
       {"io/splats/ply/", "io/splats/common/", "io/reconstruction/origin.h", "io/reconstruction/reconstruction.h",
        "io/*", "splat/core/", "splat/model/"}},
      {"io/splats/sog/",
       {"io/splats/sog/", "io/splats/common/", "io/images/codecs.h", "io/*", "splat/core/", "splat/math/",
        "splat/model/"}},
      {"io/splats/splat32/", {"io/splats/splat32/", "io/splats/common/", "io/*", "splat/core/", "splat/model/"}},
      {"io/splats/spz/", {"io/splats/spz/", "io/splats/common/", "io/*", "splat/core/", "splat/model/"}},
      {"io/splats/*", {"io/splats/", "io/byte_stream.h", "io/system_file.h", "splat/core/", "splat/model/"}},
      {"io/images/", {"io/images/", "io/*", "splat/core/", "splat/model/"}},
      {"io/reconstruction/",
       {"io/reconstruction/", "io/splats/ply/ply.h", "io/*", "splat/core/", "splat/math/", "splat/model/"}},
      {"io/dataset/",
       {"io/dataset/", "io/reconstruction/", "io/images/", "io/splats/formats.h", "io/splats/common/zip_archive.h",
        "io/splats/ply/ply.h", "io/*", "splat/core/", "splat/math/", "splat/model/"}},
      {"io/paths/",
       {"io/paths/", "io/reconstruction/", "io/*", "splat/core/", "splat/math/", "splat/model/", "splat/path/"}},
      {"io/meshes/",
       {"io/meshes/", "io/splats/gltf/gltf_document.h", "io/splats/gltf/gltf_extensions.h",
        "io/splats/ply/ply_header.h", "io/splats/ply/ply_layout.h", "io/*", "mesh/triangle_mesh.h", "splat/core/",
        "splat/math/srgb.h", "splat/model/"}},
      {"mesh/",
       {"mesh/", "splat/core/", "splat/math/screen_triangle.h", "splat/model/", "splat/raster/triangles/coverage.h"}},
      {"io/", {"io/", "splat/core/", "splat/math/", "splat/model/"}},
      {"align/", {"align/", "io/", "splat/core/", "splat/model/"}},
      // For other programs: files, devices and jobs; no windows, no command line.
      {"library/jobs.cpp",
       {"library/", "app/jobs/", "app/settings/", "io/json.h", "splat/core/", "splat/train/evaluate.h"}},
      {"library/",
       {"library/", "devices/", "io/", "splat/core/", "splat/math/", "splat/model/", "splat/backend/", "splat/raster/",
        "knn/"}},
      // From what knows nothing of a window up to the window.
      // The window's toolkit: it knows no application, and no feature.
      {"viewer/mailbox.h", {}},
      {"viewer/bus.h", {"splat/core/check.h"}},
      {"viewer/actions/", {"viewer/actions/"}},
      {"viewer/display_", {"viewer/display_", "splat/model/"}},
      {"viewer/camera/", {"viewer/camera/", "splat/core/", "splat/math/", "splat/model/"}},
      {"viewer/overlay/", {"viewer/overlay/", "viewer/camera/"}},
      {"viewer/draw/",
       {"viewer/draw/", "viewer/camera/", "viewer/display_", "viewer/mailbox.h", "splat/core/", "splat/math/",
        "splat/model/", "splat/edit/edited_model.h", "viewer/live/shown_"}},
      {"viewer/layers/",
       {"viewer/layers/", "viewer/draw/", "viewer/camera/", "viewer/display_", "viewer/mailbox.h",
        "viewer/live/disposal.h", "viewer/live/engine_image.h", "viewer/live/shown_", "splat/core/",
        "splat/math/constants.h", "splat/model/"}},
      {"viewer/live/",
       {"viewer/live/", "viewer/camera/", "viewer/display_", "viewer/mailbox.h", "splat/core/", "splat/math/",
        "splat/model/", "splat/edit/edited_model.h", "splat/backend/backend.h"}},
      {"viewer/widgets/", {"viewer/widgets/"}},
      {"viewer/dialogs/", {"viewer/dialogs/", "viewer/widgets/", "viewer/mailbox.h", "splat/core/", "splat/model/"}},
      {"viewer/shell/", {"viewer/shell/", "viewer/widgets/", "viewer/camera/input.h", "viewer/*", "splat/core/"}},
      {"viewer/*", {"viewer/*", "viewer/camera/", "splat/core/"}},
      // What the window of this program does: by feature, see FeaturesKnowTheOwnersAndNotEachOther.
      {"studio/",
       {"studio/", "viewer/", "app/jobs/", "app/settings/", "align/align.h", "io/", "mesh/", "devices/", "splat/",
        "knn/"}},
      // Settings, the jobs that work from them, and the command line that fills the ones and watches the others.
      {"app/settings/",
       {"app/settings/", "app/jobs/outcome.h", "io/*", "io/dataset/load_dataset.h", "splat/core/",
        "splat/bench/bench_scene.h", "splat/edit/filters.h", "splat/model/box.h", "splat/clean/proposal.h",
        "splat/backend/backend.h", "splat/densify/strategies.h", "splat/train/config.h"}},
      {"app/jobs/host/",
       {"app/jobs/host/", "app/jobs/outcome.h", "devices/amd_topology.h", "io/atomic_file.h", "io/bytes.h",
        "splat/core/", "splat/backend/cpu/simd_level.h"}},
      {"app/jobs/input/", {"app/jobs/input/", "app/jobs/host/", "io/", "splat/", "viewer/camera/"}},
      {"app/jobs/mesh/mesh_job", {"app/jobs/", "app/settings/", "io/", "mesh/", "devices/", "splat/"}},
      {"app/jobs/mesh/",
       {"app/jobs/mesh/", "app/jobs/*", "app/jobs/host/", "app/settings/", "mesh/", "devices/", "splat/"}},
      {"app/jobs/training/report/",
       {"app/jobs/training/report/", "app/jobs/training/run_record.h", "app/jobs/host/", "io/", "splat/"}},
      {"app/jobs/scene/",
       {"app/jobs/", "app/settings/", "io/", "devices/", "splat/", "viewer/camera/", "viewer/display_",
        "viewer/look.h"}},
      {"app/jobs/",
       {"app/jobs/", "app/settings/", "align/align.h", "align/external_tool.h", "io/", "devices/", "splat/", "knn/"}},
      {"app/cli/terminal/",
       {"app/cli/terminal/", "app/jobs/host/", "app/jobs/job.h", "app/jobs/outcome.h", "app/jobs/training/run_record.h",
        "app/settings/options.h", "io/atomic_file.h", "io/bytes.h", "splat/core/"}},
      {"app/cli/doctor/",
       {"app/cli/doctor/", "app/jobs/host/", "align/colmap/colmap.h", "align/video/probe.h", "devices/", "splat/",
        "viewer/shell/gl_window.h"}},
      {"app/cli/serve/",
       {"app/cli/serve/", "app/cli/terminal/", "app/jobs/", "app/settings/", "io/", "viewer/mailbox.h", "splat/"}},
      {"app/cli/commands/window.cpp",
       {"app/cli/commands/", "app/cli/terminal/", "app/jobs/", "app/settings/", "io/", "splat/core/",
        "studio/session.h", "studio/documents/demo.h", "studio/window/"}},
      {"app/cli/commands/",
       {"app/cli/commands/", "app/cli/doctor/", "app/cli/serve/", "app/cli/terminal/", "app/jobs/", "app/settings/",
        "align/align.h", "align/photos/look.h", "align/video/frame_choice.h", "align/video/probe.h", "io/", "mesh/",
        "devices/", "splat/", "knn/"}},
      {"app/cli/*", {"app/cli/*", "app/settings/", "app/jobs/*", "io/*", "splat/core/"}},
      {"app/*",
       {"app/cli/*", "app/cli/commands/commands.h", "app/cli/terminal/", "app/settings/", "app/jobs/host/",
        "app/jobs/*", "app/jobs/mesh/mesh_job.h", "splat/core/", "devices/device_test.h"}},
  };
  return rows;
}

const Permission* permission_of(const std::string& file) {
  for (const Permission& row : permissions())
    if (fits(file, row.files)) return &row;
  return nullptr;
}

bool ours(const std::string& header) {
  return std::any_of(kRooms.begin(), kRooms.end(),
                     [&](const std::string& room) { return header.starts_with(room + "/"); });
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
                                     [&](const std::string& pattern) { return fits(include.header, pattern); });
    EXPECT_TRUE(allowed) << include.file << ":" << include.line << " includes \"" << include.header << "\", which "
                         << row->files << " must not";
  }
}

TEST(Rules, OurHeadersAreIncludedByTheirFullPathInQuotes) {
  for (const Include& include : all_includes()) {
    const bool exists = fs::exists(kRoot / include.header);
    EXPECT_EQ(include.quoted, exists) << include.file << ":" << include.line << ": \"" << include.header
                                      << "\" (quotes are for headers of this tree, named from its root)";
  }
}

TEST(Rules, WindowAndGraphicsHeadersStayInTheWindow) {
  for (const Include& include : all_includes()) {
    if (include.file.starts_with("viewer/") || include.file.starts_with("studio/")) continue;
    for (const char* forbidden : {"GL/", "GLES", "EGL/", "glad/", "GLFW/", "imgui"})
      EXPECT_FALSE(include.header.starts_with(forbidden)) << include.file << ":" << include.line;
  }
}

// What needs no display must stay so: navigation, sorting, live pictures, and what crosses between threads.
TEST(Rules, NoOpenGlBelowTheWindow) {
  for (const Include& include : all_includes()) {
    bool below = false;
    for (const char* part :
         {"viewer/camera/", "viewer/live/", "viewer/draw/changed_rows", "viewer/draw/depth_order",
          "viewer/draw/packed_splats", "viewer/mailbox.h", "viewer/bus.h", "viewer/display_", "viewer/look",
          "viewer/scene_name", "viewer/overlay/axis_gizmo", "viewer/shell/frame_clock"})
      below = below || include.file.starts_with(part);
    if (!below) continue;
    for (const char* forbidden : {"GL/", "glad/", "GLFW/", "imgui"})
      EXPECT_FALSE(include.header.starts_with(forbidden)) << include.file << ":" << include.line;
  }
}

// The folder of a feature that a file of studio/ is in; empty: one of the owners, or what all share.
std::string feature_of(const std::string& path) {
  const std::string room = "studio/";
  if (!path.starts_with(room) || path.find('/', room.size()) == std::string::npos) return "";
  const std::string folder = path.substr(room.size(), path.find('/', room.size()) - room.size());
  static const std::set<std::string> shared{"documents", "model", "devices", "window"};
  return shared.contains(folder) ? "" : folder;
}

// A feature knows what is open, the model and the devices. A clean-up selects rows in the edit mode, and stands in its
// panel; the workspace holds the edit mode, and the lists of features and services hold them all.
TEST(Rules, FeaturesKnowTheOwnersAndNotEachOther) {
  const std::set<std::pair<std::string, std::string>> together{{"edit", "cleanup"}, {"cleanup", "edit"}};
  const std::set<std::string> lists{"studio/window/features.cpp", "studio/session.cpp"};
  for (const Include& include : all_includes()) {
    const std::string from = feature_of(include.file), to = feature_of(include.header);
    if (to.empty() || from == to || lists.contains(include.file) || together.contains({from, to})) continue;
    const bool holds_edits = from.empty() && to == "edit" && include.file.starts_with("studio/window/");
    EXPECT_TRUE(holds_edits || !include.file.starts_with("studio/"))
        << include.file << ":" << include.line << " includes \"" << include.header << "\" of another feature";
  }
}

// The window's room has one namespace: a type has one name for the panel that draws it and for the service that works
// on it.
TEST(Rules, TheWindowIsInOneNamespace) {
  static const std::regex kNamespace(R"(^namespace ([\w:]+) \{$)");
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "studio")) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    std::ifstream file(entry.path());
    std::smatch found;
    for (std::string line; std::getline(file, line);) {
      if (!std::regex_match(line, found, kNamespace)) continue;
      EXPECT_TRUE(found[1] == "studio" || entry.path().filename() == "feature.h") << entry.path() << ": " << line;
    }
  }
}

// What is not the command line fills records, and writes no words to have them read.
TEST(Rules, TheCommandLineIsReadOnce) {
  for (const char* room : {"app", "studio", "library"})
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / room)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      const std::string name = fs::relative(entry.path(), kRoot).generic_string();
      if (name == "app/main.cpp" || name == "app/cli/parse.cpp" || name == "app/settings/options.h") continue;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      EXPECT_EQ(text.find("parse_options("), std::string::npos) << name;
    }
}

// "hipsplat --train" is an alias: what users read says the word.
TEST(Rules, NobodyIsToldToTypeACommandAsAnOption) {
  const std::regex alias("--(train|align|convert|mesh|render|evaluate|info|doctor|bench|blocks|thumbnail)(?![-\\w])");
  int files = 0;
  for (const std::string& file : tracked_files()) {
    const bool of_users = (file.starts_with("docs/") && !file.starts_with("docs/notebook/")) || file == "README.md" ||
                          file == "quickstart" || file.starts_with("packaging/") || file.starts_with("python/");
    const bool source = is_source(kRoot / file) && !file.starts_with("tests/");
    if (file.ends_with(".png") || !(of_users || source)) continue;
    ++files;
    std::ifstream text(kRoot / file);
    int number = 0;
    for (std::string line; std::getline(text, line);) {
      ++number;
      if (source) line.resize(std::min(line.size(), line.find("// ")));
      EXPECT_FALSE(std::regex_search(line, alias)) << file << ":" << number << ": " << line;
    }
  }
  if (files == 0) GTEST_SKIP() << "not a git checkout";
}

// What draws has no files, and what reads and writes them draws nothing.
TEST(Rules, PanelsHaveNoFilesAndServicesNoPanels) {
  std::set<std::string> draws, reads;
  for (const Include& include : all_includes()) {
    if (!include.file.starts_with("studio/")) continue;
    const std::string& header = include.header;
    if (header.starts_with("imgui/") || header.starts_with("viewer/widgets/widgets")) draws.insert(include.file);
    // Settings and predictions are no files: a panel draws them.
    const bool plain = header.starts_with("app/settings/") || header == "app/jobs/job.h";
    if (header.starts_with("io/") || (header.starts_with("app/") && !plain) || header.starts_with("align/"))
      reads.insert(include.file);
    EXPECT_FALSE(include.file.ends_with("/service.cpp") && header.starts_with("imgui")) << include.file;
  }
  EXPECT_GT(draws.size(), 20u);
  EXPECT_GT(reads.size(), 20u);
  for (const std::string& file : draws) EXPECT_FALSE(reads.contains(file)) << file << " draws, and knows files";
}

// Lines of a file by the class they belong to: its definition, and those of its members outside of it. Key: the folder,
// in which a class lies as a whole (cpu::ModelRows and gpu::ModelRows are two), and the name.
void count_class_lines(const fs::path& path, std::map<std::string, size_t>& lines) {
  static const std::regex kClass(R"(^(?:class|struct) ((?:\w+::)*\w+)(?: final)?(?: : .*)? \{)"),
      kMember(R"(^[\w:<>,&*\s\[\]]*?\b((?:\w+::)+)~?\w+\(.*)");
  const std::string folder = fs::relative(path.parent_path(), kRoot).generic_string() + "/";
  std::ifstream file(path);
  std::string owner;
  int depth = 0;
  bool begun = false;
  for (std::string line; std::getline(file, line);) {
    if (owner.empty()) {
      std::smatch found;
      if (std::regex_search(line, found, kClass)) owner = found[1];
      if (owner.empty() && std::regex_match(line, found, kMember))
        owner = found[1].str().substr(0, found[1].length() - 2);
      if (owner.empty() || owner == "std") {
        owner.clear();
        continue;
      }
      depth = 0, begun = false;
    }
    ++lines[folder + owner];
    const std::string code = line.substr(0, line.find("//"));
    for (const char c : code) depth += int(c == '{') - int(c == '}');
    begun = begun || code.find('{') != std::string::npos;
    if ((begun && depth <= 0) || (!begun && code.ends_with(';'))) owner.clear();
  }
}

// Files keep to 500 lines; a class must not get around that by lying in several. The largest are reported, and may not
// grow: the limit goes down with them.
TEST(Rules, ClassesStayOfASizeThatCanBeRead) {
  constexpr size_t kMost = 500;
  std::map<std::string, size_t> lines;
  for (const std::string& folder : kRooms)
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
      if (entry.is_regular_file() && is_source(entry.path())) count_class_lines(entry.path(), lines);
  std::vector<std::pair<size_t, std::string>> by_size;
  for (const auto& [name, count] : lines) by_size.emplace_back(count, name);
  std::sort(by_size.rbegin(), by_size.rend());
  ASSERT_GT(by_size.size(), 300u);
  std::cout << by_size.size() << " classes, median " << by_size[by_size.size() / 2].first << " lines; the largest:\n";
  for (size_t i = 0; i < 8; ++i) std::cout << "  " << by_size[i].first << " " << by_size[i].second << "\n";
  EXPECT_LE(by_size.front().first, kMost) << by_size.front().second;
}

// Names that a source keeps to itself, each with the namespaces it stands in.
void add_own_names(const fs::path& path, std::map<std::string, std::set<std::string>>& names) {
  static const std::regex kDeclared(
      R"(^(?:(?:struct|class|enum|enum class) (\w+)|using (\w+) =|(?:static |inline |constexpr |const )+[\w:<>,\s*&]*?\b(\w+)(?:\[[^\]]*\])*\s*[={;]|(?:[\w:<>,*&]+ )+[*&]*(\w+)\().*)");
  std::vector<std::string> inside;  // namespaces; the unnamed one is ""
  std::ifstream file(path);
  std::smatch found;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("namespace ") && line.ends_with(" {")) {
      inside.push_back(line.size() < 12 ? "" : line.substr(10, line.size() - 12));
    } else if (line.starts_with("}  // namespace") && !inside.empty()) {
      inside.pop_back();
    } else if (std::find(inside.begin(), inside.end(), "") != inside.end() && !line.empty() && std::isalpha(line[0]) &&
               !line.starts_with("return") && std::regex_match(line, found, kDeclared)) {
      std::string whole;
      for (const std::string& one : inside) whole += one.empty() ? "" : one + "::";
      for (size_t i = 1; i < found.size(); ++i)
        if (found[i].matched) names[found[i]].insert(whole);
    }
  }
}

// The sources of a folder are compiled as one unit, in which a name of an inner namespace hides one of the namespace
// around it: what means the one there would use the other.
TEST(Rules, NoNameOfAFolderHidesAnother) {
  std::map<fs::path, std::map<std::string, std::set<std::string>>> folders;
  for (const std::string& room : kRooms)
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / room))
      if (entry.path().extension() == ".cpp") add_own_names(entry.path(), folders[entry.path().parent_path()]);
  size_t known = 0;
  for (const auto& [folder, names] : folders)
    for (const auto& [name, namespaces] : names) {
      ++known;
      EXPECT_EQ(namespaces.size(), 1u) << fs::relative(folder, kRoot) << " has two of the name " << name;
    }
  EXPECT_GT(known, 2000u);
}

TEST(Rules, EveryRowIsOfFilesThatAreThere) {
  std::vector<std::string> files;
  for (const Include& include : all_includes()) files.push_back(include.file);
  for (const Permission& row : permissions())
    EXPECT_TRUE(row.may.empty() ||
                std::any_of(files.begin(), files.end(), [&](const std::string& file) { return fits(file, row.files); }))
        << "no source fits '" << row.files << "': the row has outlived its folder";
}

// tests/<room> tests <room>; these have no room of their own.
TEST(Rules, TestsMirrorTheTree) {
  const std::vector<std::string> others{"align/figures",  "bench",    "faults",  "fuzz",        "gpu",
                                        "io/independent", "isa",      "lint",    "portability", "quality",
                                        "rules",          "sanitize", "support", "tiers"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "tests")) {
    if (!entry.is_directory()) continue;
    const std::string room = fs::relative(entry.path(), kRoot / "tests").generic_string();
    const bool other = std::any_of(others.begin(), others.end(), [&](const std::string& name) {
      return room == name || room.starts_with(name + "/");
    });
    EXPECT_TRUE(other || fs::is_directory(kRoot / room)) << "tests/" << room << " mirrors no folder of the tree";
  }
}

TEST(Rules, NoCMakeFileCompilesASourceOfAFolderAbove) {
  for (const std::string& file : tracked_files()) {
    if (!file.ends_with("CMakeLists.txt") && !file.ends_with(".cmake")) continue;
    std::ifstream text(kRoot / file);
    int number = 0;
    for (std::string line; std::getline(text, line);) {
      ++number;
      if (line.find("$ORIGIN/../") != std::string::npos) continue;  // of the installed program
      EXPECT_EQ(line.substr(0, line.find('#')).find("../"), std::string::npos)
          << file << ":" << number << ": let that folder add the source to a target, or make it a library";
    }
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
  for (const std::string& folder : kRooms) {
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

// "// Of a panorama ...": the reader has to look for the noun in the next line of code.
TEST(Rules, NoCommentBeginsWithOf) {
  for (const std::string& file : tracked_files()) {
    if (file.starts_with("tests/") || !is_source(kRoot / file)) continue;
    std::ifstream text(kRoot / file);
    int number = 0;
    std::string before;
    for (std::string line; std::getline(text, line); before = line) {
      ++number;
      const size_t begin = std::min(line.find_first_not_of(' '), line.size());
      const bool goes_on = before.find("//") != std::string::npos;  // a comment's later line
      EXPECT_FALSE(!goes_on && line.compare(begin, 6, "// Of ") == 0) << file << ":" << number;
      EXPECT_EQ(line.find("\"Of "), std::string::npos) << file << ":" << number;
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
