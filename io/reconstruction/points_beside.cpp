#include "io/reconstruction/points_beside.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <sstream>

#include "io/bytes.h"
#include "io/files_below.h"
#include "io/reconstruction/point_files.h"
#include "io/splats/ply/ply.h"
#include "io/text.h"
#include "splat/core/float_step.h"

namespace io {

namespace fs = std::filesystem;

namespace {

constexpr std::array<const char*, 5> kNames{"points3d.ply", "sparse_pc.ply", "input.ply", "init.ply", "fused.ply"};

// The cameras' own first.
std::vector<fs::path> folders_of_points(const fs::path& root, const fs::path& source) {
  std::error_code ignored;
  const bool model = fs::is_directory(source, ignored);
  std::vector<fs::path> folders{model ? source : source.parent_path()};
  if (model && source != root) folders.push_back(source.parent_path());
  if (std::find(folders.begin(), folders.end(), root) == folders.end()) folders.push_back(root);
  return folders;
}

std::vector<fs::path> point_files(const std::vector<fs::path>& folders) {
  std::vector<fs::path> files;
  for (const fs::path& folder : folders)
    for (const char* name : kNames)
      if (const fs::path file = child_of(folder, name);
          is_file(file) && std::find(files.begin(), files.end(), file) == files.end())
        files.push_back(file);
  return files;
}

// Points are as exact as their file, which has floats in most cases; doubles are counted from a place among them.
void warn_of_coarse_positions(const splat::PointCloud& points, Reconstruction& reconstruction) {
  constexpr double kCoarse = 1e-3;  // of how far the cameras are from their middle
  double spread = 0, farthest = 0;
  for (const ReconstructionImage& image : reconstruction.images)
    for (const double place : image.cam_from_world.origin_in_source()) spread = std::max(spread, std::abs(place));
  for (const float place : points.xyz) farthest = std::max(farthest, double(std::abs(place)));
  if (reconstruction.origin == std::array<double, 3>{} || farthest == 0) return;
  const double step = splat::float_step(farthest);
  if (step <= kCoarse * spread) return;
  std::ostringstream warning;
  warning << "the points lie so far from 0 that their positions, floats, step by " << step
          << ", while all cameras are within " << spread << ": count both from a place nearby";
  reconstruction.warnings.push_back(warning.str());
}

// INRIA's code writes one beside every points3D.bin that it reads, with the same points.
bool repeats_model(const fs::path& file) {
  return lower(file.filename().string()) == "points3d.ply" && (is_file(child_of(file.parent_path(), "points3d.bin")) ||
                                                               is_file(child_of(file.parent_path(), "points3d.txt")));
}

// The file that a transforms.json names, where it was moved: the only one of that name below the dataset.
fs::path moved(const fs::path& named, const fs::path& root) {
  fs::path found;
  if (named.empty() || is_file(named)) return found;
  for (const std::string& name : files_below(root)) {
    if (lower(last_part(name)) != lower(named.filename().string())) continue;
    if (!found.empty()) return {};
    found = root / name;
  }
  return found;
}

// Clouds under any name: of one in several formats the first of these. A mesh is none.
using Names = std::vector<std::string>;
struct Clouds {
  std::vector<fs::path> files, unread;
};
Clouds clouds_in(const std::vector<fs::path>& folders) {
  Clouds clouds;
  std::set<std::string> stems;
  for (const fs::path& folder : folders)
    for (const char* end : {".ply", ".xyz", ".pts", ""}) {
      for (const std::string& name : files_below(folder, 0)) {
        const fs::path file = folder / name;
        const std::string low = lower(name);
        if (!*end && !unread_point_file(file).empty()) clouds.unread.push_back(file);
        if (!*end || !low.ends_with(end) || std::find(kNames.begin(), kNames.end(), low) != kNames.end()) continue;
        if (!is_point_file(file) || !stems.insert(low.substr(0, low.size() - 4)).second) continue;
        const Names others = low.ends_with(".ply") ? unread_of_point_cloud_ply(file) : Names();
        if (std::none_of(others.begin(), others.end(),
                         [](const std::string& other) { return other.find("face") != std::string::npos; }))
          clouds.files.push_back(file);
      }
    }
  return clouds;
}

// Where nothing else has points: the only cloud there is.
void add_only_cloud(const std::vector<fs::path>& folders, Reconstruction& reconstruction) {
  const Clouds clouds = clouds_in(folders);
  std::vector<std::string> names;
  for (const fs::path& file : clouds.files) names.push_back("'" + file.string() + "'");
  if (clouds.files.size() == 1) {
    if (const splat::Status read = read_points_into(clouds.files.front(), reconstruction); !read)
      reconstruction.warnings.push_back(read.error().message + ": it is not used");
    else if (reconstruction.points.size() > 0)
      reconstruction.notes.push_back("the points to start from are those of " + names.front() +
                                     ", the only cloud beside the cameras: they have to lie in the cameras' frame");
  } else if (!names.empty()) {
    reconstruction.notes.push_back("there are no points to start from, and several clouds: --init takes one of " +
                                   first_names(names));
  }
  if (reconstruction.points.size() == 0 && !clouds.unread.empty())
    reconstruction.notes.push_back(unread_point_file(clouds.unread.front()) + "; then it can be started from");
}

// Whether the points of a points3D.ply stand for those of the model beside it.
bool take_denser(const fs::path& file, Reconstruction& reconstruction) {
  const size_t before = reconstruction.points.size();
  const auto beside = read_point_cloud_ply(file);
  if (!beside || beside->size() <= before) return false;
  if (!read_points_into(file, reconstruction)) return false;
  reconstruction.notes.push_back("the points to start from are the " + std::to_string(beside->size()) + " of '" +
                                 file.string() + "': the model beside it has " + std::to_string(before));
  return true;
}

}  // namespace

splat::Status read_points_into(const fs::path& file, Reconstruction& reconstruction) {
  SPLAT_ASSIGN_OR_RETURN(splat::PointCloud points, read_point_file(file));
  if (points.left_out > 0)
    reconstruction.warnings.push_back(std::to_string(points.left_out) + " of " +
                                      std::to_string(points.left_out + points.size()) + " points of '" + file.string() +
                                      "' are left out: their positions are not finite or absurdly large");
  warn_of_coarse_positions(points, reconstruction);
  for (size_t i = 0; i < points.xyz.size(); ++i)
    points.xyz[i] = float(double(points.xyz[i]) + points.origin[i % 3] - reconstruction.origin[i % 3]);
  points.origin = {};
  reconstruction.points = std::move(points);
  return {};
}

void add_points_beside(const fs::path& root, Reconstruction& reconstruction) {
  std::vector<std::string> unused;
  const bool had_points = reconstruction.points.size() > 0;
  const std::vector<fs::path> folders = folders_of_points(root, reconstruction.source);
  std::vector<fs::path> files = point_files(folders);
  if (const fs::path file = moved(reconstruction.points_file, root); !file.empty() && !had_points)
    files.insert(files.begin(), file);
  for (const fs::path& file : files) {
    if (reconstruction.points.size() > 0) {
      const bool is_source = file == reconstruction.points_file;
      if (had_points && repeats_model(file) && take_denser(file, reconstruction)) continue;
      if (!is_source && !(had_points && repeats_model(file))) unused.push_back("'" + file.string() + "'");
    } else if (const splat::Status read = read_points_into(file, reconstruction); !read) {
      reconstruction.warnings.push_back(read.error().message + ": it is not used");
    } else if (reconstruction.points.size() == 0) {
      reconstruction.notes.push_back("'" + file.string() + "' holds no points: it is not used");
    } else {
      reconstruction.notes.push_back("the points to start from are those of '" + file.string() + "'");
    }
  }
  if (reconstruction.points.size() == 0) add_only_cloud(folders, reconstruction);
  if (!unused.empty())
    reconstruction.notes.push_back("there are points to start from already; not used: " + first_names(unused));
}

}  // namespace io
