// Camera paths in files, recognised by their content: our own path.json (docs/formats.md), nerfstudio's
// camera_path.json and what ns-export lists, LichtFeld Studio's timelines (version 4), settings.json of SuperSplat's
// viewer, and transforms.json, as Blender's exporters write an animation. All become keys in the coordinates of the
// splats' file. Ours and nerfstudio's are written. What is wrong is one sentence with the file and the key or frame;
// of cameras that are no path it says how they become one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "splat/core/result.h"
#include "splat/path/camera_path.h"

namespace io {

enum class PathFormat { kOurs, kNerfstudio, kLichtFeld, kSuperSplat, kTransforms };

// Which side of the picture the file's angles are of.
enum class AngleOf { kHeight, kWidth, kLongerSide };

struct PathFile {
  splat::CameraPath path;  // check_path() accepts it; with the vertical angles of a picture of 16:9
  PathFormat format = PathFormat::kOurs;
  double per_second = 0;      // pictures a second that the file asks for; 0: none
  int width = 0, height = 0;  // px, likewise
  AngleOf angle = AngleOf::kHeight;
  bool all_around = false;         // it is for pictures of 360 degrees
  std::vector<std::string> notes;  // what was taken for granted or left out, a sentence each
};

// The path for pictures of this shape, width by height: where the file gives the angle of another side, the vertical
// one follows now.
splat::CameraPath path_for(const PathFile& file, double shape);

splat::Result<PathFile> read_path_file(const std::filesystem::path& file);
splat::Result<PathFile> parse_path_file(std::string_view text, const std::string& name);

std::string path_json(const splat::CameraPath& path);  // ours
splat::Status write_path_file(const std::filesystem::path& file, const splat::CameraPath& path);

// nerfstudio's: a pose for every picture, in its axes.
struct Pictures {
  double per_second = 30;
  int width = 1920, height = 1080;  // px
};
std::string nerfstudio_path_json(const splat::CameraPath& path, const Pictures& pictures);
splat::Status write_nerfstudio_path(const std::filesystem::path& file, const splat::CameraPath& path,
                                    const Pictures& pictures);

}  // namespace io
