#include "io/dataset/folder_contents.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <set>

#include "io/bytes.h"
#include "io/dataset/find_cameras.h"
#include "io/dataset/photo_folder.h"
#include "io/files_below.h"
#include "io/splats/common/zip_archive.h"
#include "io/splats/formats.h"
#include "io/splats/ply/ply.h"
#include "io/text.h"
#include "splat/core/counted.h"

namespace io {

namespace fs = std::filesystem;

namespace {

std::string beginning_of(const fs::path& file) {
  if (!check_regular(file)) return {};
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(kProbeBytes, '\0');
  stream.read(bytes.data(), std::streamsize(bytes.size()));
  bytes.resize(size_t(stream.gcount()));
  return bytes;
}

std::string folder_of(const std::string& name) { return fs::path(name).parent_path().generic_string(); }

// By its name; a page may be a report, and a PLY a cloud of points.
bool holds_splats(const fs::path& folder, const std::string& name) {
  const std::string low = lower(name);
  if (!format_by_extension(name) || low.ends_with(".json") || low.ends_with(".zip")) return false;
  if (low.ends_with(".ply")) return !is_file(folder / name) || !ply_holds_points(folder / name);
  if (!low.ends_with(".html") && !low.ends_with(".htm")) return true;
  return is_file(folder / name) && format_by_content(beginning_of(folder / name), kProbeBytes) != nullptr;
}

}  // namespace

FolderContents contents_of(const fs::path& folder) {
  FolderContents contents;
  std::set<std::string> folders;
  const PhotoFolder photos(folder);
  for (const std::string& name : photos.names()) {
    ++contents.photos;
    folders.insert(folder_of(name));
  }
  contents.photo_folders = folders.size();
  for (const std::string& name : files_below(folder)) {
    if (is_video_name(name)) contents.videos.push_back(name);
    if (holds_splats(folder, name)) contents.splats.push_back(name);
    if (is_unpacked_sog(folder, name)) contents.splats.push_back(folder_of(name));
  }
  contents.datasets = datasets_below(folder);
  return contents;
}

std::string contents_sentence(const FolderContents& contents) {
  std::vector<std::string> parts, datasets;
  for (const fs::path& path : contents.datasets) datasets.push_back(path.filename().string());
  if (contents.photos > 0)
    parts.push_back(splat::counted(contents.photos, "photo", "photos") +
                    (contents.photo_folders > 1 ? " in " + std::to_string(contents.photo_folders) + " folders" : ""));
  const auto add = [&](const std::vector<std::string>& names, const char* one, const char* many) {
    if (!names.empty()) parts.push_back(splat::counted(names.size(), one, many) + " (" + first_names(names) + ")");
  };
  add(contents.videos, "video", "videos");
  add(contents.splats, "splat file", "splat files");
  add(datasets, "dataset", "datasets");
  if (parts.empty()) return "no photos, no video and no dataset";
  std::string text = parts.front();
  for (size_t i = 1; i < parts.size(); ++i) text += (i + 1 < parts.size() ? ", " : " and ") + parts[i];
  return text;
}

std::span<const std::string_view> video_extensions() {
  static constexpr std::array<std::string_view, 14> kExtensions{".mp4", ".mov",  ".m4v", ".mkv",  ".webm",
                                                                ".avi", ".mts",  ".mpg", ".m2ts", ".ts",
                                                                ".3gp", ".mpeg", ".wmv", ".insv"};
  return kExtensions;
}

bool is_video_name(std::string_view name) {
  const std::string extension = lower(name.substr(without_extension(name).size()));
  return std::ranges::find(video_extensions(), extension) != video_extensions().end();
}

std::string dataset_in_archive(const fs::path& file) {
  if (!named(file, ".zip") || !is_file(file)) return {};
  std::string cameras;
  size_t photos = 0;
  for (const std::string& name : zip_names(file)) {
    const std::string last = lower(last_part(name));
    if (last == "meta.json") return {};  // a SOG
    if (cameras.empty() && (last == "cameras.bin" || last == "cameras.txt" || last.starts_with("transforms")))
      cameras = name;
    photos += is_picture(name);
  }
  if (cameras.empty() && photos == 0) return {};
  const std::string shots = splat::counted(photos, "photo", "photos");
  return "'" + file.string() + "' is a zip archive with " +
         (cameras.empty() ? shots : "a dataset (" + in_quotes(cameras) + ", " + shots + ")") +
         ": unpack it and give the folder";
}

}  // namespace io
