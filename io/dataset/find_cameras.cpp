#include "io/dataset/find_cameras.h"

#include <algorithm>
#include <array>
#include <set>

#include "io/bytes.h"
#include "io/dataset/photo_folder.h"
#include "io/dataset/photo_places.h"
#include "io/files_below.h"
#include "io/reconstruction/colmap.h"
#include "io/reconstruction/other_programs.h"
#include "io/reconstruction/transforms_json.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;

namespace {

using Kind = FoundCameras::Kind;

constexpr int kFoldersDeep = 3;

// Cameras that lie somewhere below a folder.
struct Candidate {
  Kind kind = Kind::kColmap;
  fs::path source, root;
  bool complete = true;
  uint64_t images = 0;
};

bool has_photo_folder(const fs::path& folder) {
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    std::error_code ignored;
    if (is_photo_folder_name(entry->path().filename().string()) && entry->is_directory(ignored)) return true;
  }
  return false;
}

// The dataset that a model belongs to: the nearest folder above it that has a folder of photos, else `top`.
fs::path root_of(const fs::path& model, const fs::path& top) {
  for (fs::path folder = model; folder != top && folder.has_relative_path(); folder = folder.parent_path())
    if (has_photo_folder(folder)) return folder;
  return top;
}

bool is_transforms(std::string_view name) {
  const std::string file = lower(last_part(name));
  return file == "transforms.json" || file == "transforms_train.json";
}

// An alignment that was cut short has models in its work/.
bool is_unfinished_work(const fs::path& top, const std::string& name) {
  for (size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1)) {
    const fs::path folder = top / name.substr(0, slash);
    if (folder.filename() == "work" && is_file(folder.parent_path() / "align.json")) return true;
  }
  return false;
}

std::vector<Candidate> candidates_below(const fs::path& top, const std::vector<std::string>& files) {
  std::vector<Candidate> candidates;
  std::set<fs::path> folders;
  for (const std::string& name : files) {
    const std::string file = lower(last_part(name));
    const bool model = file == "cameras.bin" || file == "cameras.txt" || file == "images.bin";
    if ((!model && !is_transforms(name)) || is_unfinished_work(top, name)) continue;
    const fs::path folder = (top / name).parent_path();
    if (!model) {
      candidates.push_back({Kind::kTransforms, top / name, root_of_transforms(top / name), true, 0});
    } else if (folders.insert(folder).second) {
      if (const auto found = colmap_folder(folder))
        candidates.push_back({Kind::kColmap, folder, root_of(folder, top), found->complete, found->images});
    }
  }
  if (std::any_of(candidates.begin(), candidates.end(), [](const Candidate& one) { return one.complete; }))
    std::erase_if(candidates, [](const Candidate& one) { return !one.complete; });
  return candidates;
}

// Within one dataset: a model before a transforms.json, the one with the most images, the first by name.
bool is_better(const Candidate& a, const Candidate& b) {
  if (a.kind != b.kind) return a.kind == Kind::kColmap;
  return a.images > b.images;
}

std::string described(const Candidate& candidate, const fs::path& top) {
  const std::string name = "'" + candidate.source.lexically_relative(top).generic_string() + "'";
  return candidate.kind == Kind::kColmap ? name + " (" + std::to_string(candidate.images) + " images)" : name;
}

FoundCameras chosen(const std::vector<Candidate>& candidates, const fs::path& top) {
  const Candidate* best = &candidates.front();
  for (const Candidate& candidate : candidates)
    if (is_better(candidate, *best)) best = &candidate;
  FoundCameras found{best->kind, best->source, best->root, {}, {}, {}};
  std::vector<std::string> others;
  for (const Candidate& candidate : candidates)
    if (&candidate != best) others.push_back(described(candidate, top));
  found.notes.push_back("the cameras are those of " + described(*best, top) + " in '" + top.string() + "'" +
                        (others.empty() ? "" : "; not used: " + first_names(others)));
  return found;
}

std::vector<fs::path> roots_of(const std::vector<Candidate>& candidates) {
  std::set<fs::path> roots;
  for (const Candidate& candidate : candidates) roots.insert(candidate.root);
  return {roots.begin(), roots.end()};
}

// dense/0 and dense/1: parts of one reconstruction, of which the largest counts.
bool are_numbered_siblings(const std::vector<fs::path>& roots) {
  unsigned number = 0;
  return std::all_of(roots.begin(), roots.end(), [&](const fs::path& root) {
    return root.parent_path() == roots.front().parent_path() && parse_number(root.filename().string(), number);
  });
}

std::string several_datasets(const fs::path& top, const std::vector<fs::path>& roots) {
  std::vector<std::string> names;
  for (const fs::path& root : roots) names.push_back("'" + root.lexically_relative(top).generic_string() + "'");
  return "'" + top.string() + "' holds " + std::to_string(roots.size()) + " datasets (" + first_names(names) +
         "): give one of them";
}

FoundCameras find_below(const fs::path& top, const std::vector<std::string>& files) {
  std::vector<Candidate> candidates = candidates_below(top, files);
  if (candidates.empty()) return {};
  std::vector<fs::path> roots = roots_of(candidates);
  if (std::find(roots.begin(), roots.end(), top) != roots.end()) {
    std::erase_if(candidates, [&](const Candidate& candidate) { return candidate.root != top; });
  } else if (roots.size() > 1 && !are_numbered_siblings(roots)) {
    FoundCameras found;
    found.kind = Kind::kUnclear;
    found.sentence = several_datasets(top, roots);
    return found;
  }
  return chosen(candidates, top);
}

// Files of the folder itself that hold frames with matrices, whatever they are called.
std::vector<fs::path> frames_of_other_names(const fs::path& folder, const std::vector<std::string>& files) {
  constexpr size_t kLooked = size_t(1) << 20;  // bytes: there may be a file a photo, with a picture in it
  std::vector<fs::path> found;
  for (const std::string& name : files) {
    if (name.find('/') != std::string::npos || !lower(name).ends_with(".json")) continue;
    if (check_regular(folder / name) && file_mentions(folder / name, {"\"frames\"", "\"transform_matrix\""}, kLooked))
      found.push_back(folder / name);
  }
  return found;
}

FoundCameras of_other_name(const fs::path& folder, const std::vector<std::string>& files) {
  const std::vector<fs::path> found = frames_of_other_names(folder, files);
  FoundCameras cameras;
  if (found.empty()) return cameras;
  std::vector<std::string> names;
  for (const fs::path& path : found) names.push_back("'" + path.filename().string() + "'");
  if (found.size() == 1) {
    cameras = {Kind::kTransforms, found.front(), folder, {}, {}, {}};
    cameras.notes.push_back("the cameras are those of " + names.front() + ", the only file with frames");
    return cameras;
  }
  cameras.kind = Kind::kUnclear;
  cameras.sentence = "'" + folder.string() + "' holds " + std::to_string(found.size()) + " files of cameras (" +
                     first_names(names) + "): give one of them";
  return cameras;
}

FoundCameras at_usual_places(const fs::path& folder) {
  FoundCameras found;
  if (const auto model = find_colmap_model(folder)) {
    const auto files = colmap_folder(model->folder);
    if (files && files->complete) return {Kind::kColmap, model->folder, folder, {}, model->notes, {}};
  }
  if (const auto file = find_transforms_json(folder))
    return {Kind::kTransforms, *file, root_of_transforms(*file), {}, {}, {}};
  return found;
}

std::vector<std::string> photo_names_of(const FoundCameras& cameras) {
  if (cameras.kind == Kind::kColmap) return colmap_image_names(cameras.source);
  std::vector<std::string> names;
  if (const auto read = read_transforms_json(cameras.source))
    for (const ReconstructionImage& image : read->images) names.push_back(image.name);
  return names;
}

// The cameras of a folder of photos that lie beside it, where at least half of their photos are in it.
FoundCameras find_beside(const fs::path& photos) {
  std::error_code code;
  const fs::path folder = fs::absolute(photos, code).lexically_normal(), parent = folder.parent_path();
  if (code || !parent.has_relative_path()) return {};
  const std::string name = lower(folder.filename().string());
  FoundCameras found = at_usual_places(parent);
  if (found.kind == Kind::kNone && (name.starts_with("images") || name == "input"))
    found = find_below(parent, files_below(parent, kFoldersDeep));
  if ((found.kind != Kind::kColmap && found.kind != Kind::kTransforms) || found.root != parent) return {};
  Folders folders;
  std::vector<Place> names;
  for (std::string& photo : photo_names_of(found)) names.push_back({folder, std::move(photo)});
  const auto files = files_of(names, folders);
  const auto here = std::count_if(files.begin(), files.end(), [](const auto& file) { return file.has_value(); });
  if (here == 0 || size_t(here) * 2 < names.size()) return {};
  found.photos = photos;
  found.notes.push_back("the cameras of these photos are those of '" + found.source.string() + "'");
  return found;
}

}  // namespace

bool is_photo_folder_name(std::string_view name) {
  constexpr std::array<std::string_view, 15> kNames{"images",
                                                    "input",
                                                    "image",
                                                    "imgs",
                                                    "img",
                                                    "photos",
                                                    "photo",
                                                    "rgb",
                                                    "frames",
                                                    "pictures",
                                                    "undistorted_images",
                                                    "color",
                                                    "colors",
                                                    "resized_images",
                                                    "resized_undistorted_images"};
  const std::string low = lower(name);
  return std::find(kNames.begin(), kNames.end(), low) != kNames.end() ||
         (low.starts_with("images_") && low.size() == 8 && low[7] >= '2' && low[7] <= '8');
}

FoundCameras find_cameras(const fs::path& given) {
  std::error_code code;
  const fs::path path = given.has_filename() ? given : given.parent_path();  // "x/" is "x"
  if (!fs::is_directory(path, code)) {
    if (const auto file = find_transforms_json(path))
      return {Kind::kTransforms, *file, root_of_transforms(*file), {}, {}, {}};
    return {};
  }
  FoundCameras found = at_usual_places(path);
  if (found.kind != Kind::kNone) return found;
  const std::vector<std::string> files = files_below(path, kFoldersDeep);
  for (const auto& search : {of_other_name, find_below}) {
    found = search(path, files);
    if (found.kind != Kind::kNone) return found;
  }
  found = find_beside(path);
  if (found.kind != Kind::kNone) return found;
  if (const auto incomplete = find_colmap_model(path))  // whose reader says what it lacks
    return {Kind::kColmap, incomplete->folder, path, {}, incomplete->notes, {}};
  found.sentence = cameras_of_other_programs(path, files);
  if (!found.sentence.empty()) found.kind = Kind::kOtherProgram;
  return found;
}

std::vector<fs::path> datasets_below(const fs::path& folder) {
  if (at_usual_places(folder).kind != Kind::kNone) return {};
  std::vector<fs::path> roots = roots_of(candidates_below(folder, files_below(folder, kFoldersDeep)));
  std::erase(roots, folder);
  return roots;
}

}  // namespace io
