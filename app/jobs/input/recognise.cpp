#include "app/jobs/input/recognise.h"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

#include "app/jobs/input/run_folder.h"
#include "io/bytes.h"
#include "io/checkpoint.h"
#include "io/dataset/folder_contents.h"
#include "io/foreign_file.h"
#include "io/splats/formats.h"

namespace app {

namespace fs = std::filesystem;

namespace {

std::string beginning_of(const fs::path& path) {
  if (!io::check_regular(path)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string bytes(io::kProbeBytes, '\0');
  file.read(bytes.data(), std::streamsize(bytes.size()));
  bytes.resize(size_t(file.gcount()));
  return bytes;
}

bool says_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return text.find(word) != std::string::npos; });
}

// cameras.json is a list, transforms.json and SOG's meta.json are objects. What is none of them is a dataset, too:
// reading it says what it is.
PathKind kind_of_json(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name == "meta.json" || name == "lod-meta.json") return PathKind::kSplats;
  if (name == "cameras.json") return PathKind::kCameras;
  if (name.starts_with("transforms")) return PathKind::kDataset;
  const std::string start = beginning_of(path);
  const size_t first = start.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && start[first] == '[' &&
      says_one_of(start, {"\"id\"", "\"img_name\"", "\"position\""}))
    return PathKind::kCameras;
  return io::format_by_content(start, start.size()) ? PathKind::kSplats : PathKind::kDataset;
}

PathKind kind_of_file(const fs::path& path) {
  std::error_code code;
  if (path.extension() == ".json") return kind_of_json(path);
  if (!io::dataset_in_archive(path).empty()) return PathKind::kDataset;  // reading it says what to do
  if (!fs::is_regular_file(path, code)) return PathKind::kSplats;        // a pipe can be read once only
  return io::is_checkpoint(path) ? PathKind::kCheckpoint : PathKind::kSplats;
}

}  // namespace

Recognised recognise(const fs::path& path) {
  std::error_code code;
  if (!fs::is_directory(path, code)) return {kind_of_file(path), path};
  if (has_city(path)) return {PathKind::kCity, path};
  const fs::path result = newest_result(path);
  if (!result.empty() && !fs::exists(path / "images", code)) return {kind_of_file(result), result};
  for (const char* name : {"meta.json", "lod-meta.json"})
    if (fs::is_regular_file(path / name, code)) return {PathKind::kSplats, path};
  return {PathKind::kDataset, path};
}

std::string foreign_json(const fs::path& path) {
  if (path.extension() != ".json") return {};
  const std::string start = beginning_of(path);
  if (start.empty() || says_one_of(start, {"\"frames\"", "\"camera_angle_x\"", "\"fl_x\""})) return {};
  return io::what_it_is(start, path);
}

}  // namespace app
