#include "io/reconstruction/colmap.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>

#include "io/bytes.h"
#include "io/files_below.h"
#include "io/names.h"
#include "io/reconstruction/colmap_records.h"
#include "io/reconstruction/origin.h"
#include "io/text.h"

namespace io {

namespace fs = std::filesystem;

namespace {

constexpr std::array<const char*, 4> kModelFiles{"cameras.bin", "images.bin", "cameras.txt", "images.txt"};

struct ModelFiles {
  bool binary = false, complete = false;  // complete: cameras and images are both there
  bool any = false;
  fs::path cameras, images, points;  // points: empty where there is none
};

ModelFiles files_of(const fs::path& folder) {
  const auto both = [&](const char* extension) {
    return is_file(child_of(folder, std::string("cameras") + extension)) &&
           is_file(child_of(folder, std::string("images") + extension));
  };
  ModelFiles files;
  files.binary = both(".bin");
  files.complete = files.binary || both(".txt");
  for (const char* name : kModelFiles) files.any = files.any || is_file(child_of(folder, name));
  const char* extension = files.binary ? ".bin" : ".txt";
  files.cameras = child_of(folder, std::string("cameras") + extension);
  files.images = child_of(folder, std::string("images") + extension);
  for (const char* name :
       {files.binary ? "points3D.bin" : "points3D.txt", files.binary ? "points3D.txt" : "points3D.bin"})
    if (files.points.empty() && is_file(child_of(folder, name))) files.points = child_of(folder, name);
  return files;
}

uint64_t registered_images(const ModelFiles& files) {
  if (!files.complete) return 0;
  if (!files.binary) {
    const Result<std::string> text = read_file(files.images);
    return text ? colmap::count_images_txt(*text) : 0;
  }
  if (!check_regular(files.images)) return 0;
  std::array<char, 8> head{};
  std::ifstream file(files.images, std::ios::binary);
  file.read(head.data(), head.size());
  std::error_code code;
  const uintmax_t bytes = fs::file_size(files.images, code);
  return code ? 0 : colmap::count_images_bin({head.data(), size_t(file.gcount())}, bytes);
}

// The models in base/0, base/1, ... by number, then base itself.
std::vector<ColmapFolder> candidates_in(const fs::path& base) {
  std::map<unsigned, fs::path> numbered;
  std::error_code code;
  for (fs::directory_iterator it(base, code), end; !code && it != end; it.increment(code)) {
    unsigned number = 0;
    std::error_code ignored;
    if (parse_number(it->path().filename().string(), number) && it->is_directory(ignored))
      numbered.emplace(number, it->path());
  }
  std::vector<fs::path> folders;
  for (const auto& [number, path] : numbered) folders.push_back(path);
  folders.push_back(base);
  std::vector<ColmapFolder> candidates;
  for (const fs::path& folder : folders)
    if (auto found = colmap_folder(folder)) candidates.push_back(std::move(*found));
  return candidates;
}

std::string choice_note(const fs::path& base, const std::vector<ColmapFolder>& candidates, const ColmapFolder& best) {
  std::string others;
  for (const ColmapFolder& candidate : candidates)
    if (candidate.folder != best.folder)
      others += (others.empty() ? "" : ", ") + candidate.folder.filename().string() + " has " +
                std::to_string(candidate.images);
  return "'" + base.string() + "' holds " + std::to_string(candidates.size()) + " models; using '" +
         best.folder.string() + "', which registers the most images (" + std::to_string(best.images) + "; " + others +
         ")";
}

std::array<double, 3> origin_of(const colmap::Images& images) {
  std::vector<splat::Rigid3> poses;
  for (const colmap::Image& image : images.images) poses.push_back(image.cam_from_world);
  return local_origin(poses);
}

Result<splat::PointCloud> read_points(const ModelFiles& files, const std::array<double, 3>& origin,
                                      colmap::Notes& notes) {
  if (files.points.empty()) {
    notes.notes.push_back("'" + files.images.parent_path().string() + "' has no points3D.bin or points3D.txt");
    return splat::PointCloud{};
  }
  SPLAT_ASSIGN_OR_RETURN(const std::string bytes, read_file(files.points));
  const std::string name = files.points.string();
  return files.points.extension() == ".bin" ? colmap::parse_points_bin(bytes, name, notes, origin)
                                            : colmap::parse_points_txt(bytes, name, notes, origin);
}

struct PosedImages {
  colmap::Cameras cameras;
  colmap::Images images;
};

Result<PosedImages> read_posed_images(const ModelFiles& files, colmap::Notes& notes) {
  PosedImages posed;
  SPLAT_ASSIGN_OR_RETURN(std::string bytes, read_file(files.cameras));
  SPLAT_ASSIGN_OR_RETURN(posed.cameras, files.binary ? colmap::parse_cameras_bin(bytes, files.cameras.string(), notes)
                                                     : colmap::parse_cameras_txt(bytes, files.cameras.string(), notes));
  SPLAT_ASSIGN_OR_RETURN(bytes, read_file(files.images));
  SPLAT_ASSIGN_OR_RETURN(posed.images,
                         files.binary ? colmap::parse_images_bin(bytes, files.images.string(), posed.cameras, notes)
                                      : colmap::parse_images_txt(bytes, files.images.string(), posed.cameras, notes));
  return posed;
}

Error missing_file(const fs::path& folder, const ModelFiles& files) {
  if (!files.any)
    return Error{"'" + folder.string() + "' holds no COLMAP model: there are no cameras.bin and images.bin (or .txt)"};
  std::string present, absent;
  for (const char* name : kModelFiles) {
    std::string& list = is_file(child_of(folder, name)) ? present : absent;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  return Error{"the COLMAP model in '" + folder.string() + "' is incomplete: it has " + present + " but lacks " +
               absent + "; cameras and images must both be there, in one encoding"};
}

}  // namespace

std::optional<ColmapFolder> colmap_folder(const fs::path& folder) {
  const ModelFiles files = files_of(folder);
  return files.any ? std::optional(ColmapFolder{folder, files.complete, registered_images(files)}) : std::nullopt;
}

std::vector<std::string> colmap_image_names(const fs::path& model_folder) {
  const ModelFiles files = files_of(model_folder);
  std::vector<std::string> names;
  colmap::Notes notes;
  if (!files.complete) return names;
  if (const auto posed = read_posed_images(files, notes))
    for (const colmap::Image& image : posed->images.images) names.push_back(image.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<ColmapLocation> find_colmap_model(const fs::path& root) {
  std::optional<ColmapLocation> incomplete;
  for (const fs::path& base : {child_of(root, "sparse"), root, child_of(child_of(root, "colmap"), "sparse")}) {
    const std::vector<ColmapFolder> candidates = candidates_in(base);
    const ColmapFolder* best = nullptr;
    for (const ColmapFolder& candidate : candidates) {
      if (!candidate.complete && !incomplete) incomplete = ColmapLocation{candidate.folder, {}};
      if (candidate.complete && (!best || candidate.images > best->images)) best = &candidate;
    }
    if (!best) continue;
    ColmapLocation location{best->folder, {}};
    if (candidates.size() > 1) location.notes.push_back(choice_note(base, candidates, *best));
    return location;
  }
  return incomplete;
}

Result<Reconstruction> read_colmap(const fs::path& model_folder) {
  const ModelFiles files = files_of(model_folder);
  if (!files.complete) return missing_file(model_folder, files);
  Reconstruction result;
  result.format = files.binary ? "COLMAP binary" : "COLMAP text";
  result.source = model_folder;

  colmap::Notes notes;
  SPLAT_ASSIGN_OR_RETURN(PosedImages posed, read_posed_images(files, notes));
  const colmap::Cameras& cameras = posed.cameras;
  colmap::Images& images = posed.images;
  result.observations = images.observations;
  result.origin = origin_of(images);
  SPLAT_ASSIGN_OR_RETURN(result.points, read_points(files, result.origin, notes));
  result.notes = std::move(notes.notes);
  result.warnings = std::move(notes.warnings);
  notes.left_out.report(result.warnings);

  std::sort(images.images.begin(), images.images.end(),
            [](const colmap::Image& a, const colmap::Image& b) { return a.name < b.name; });
  std::map<uint32_t, int> index_of_camera;
  for (colmap::Image& image : images.images) {
    ReconstructionImage& out = result.images.emplace_back();
    out.name = std::move(image.name);
    out.camera_index = index_of_camera.emplace(image.camera_id, int(index_of_camera.size())).first->second;
    out.camera = cameras.at(image.camera_id);
    out.cam_from_world = relative_to(image.cam_from_world, result.origin);
  }
  result.cameras = int(index_of_camera.size());
  return result;
}

}  // namespace io
