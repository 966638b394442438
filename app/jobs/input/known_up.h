// The up axis of a splat file, for all that shows, describes or writes it. It cannot be seen from splats alone (a floor
// may be a ceiling); some files name it, and the cameras that trainers write beside them show it, since people hold
// cameras upright. What a shape suggests (viewer/camera/up_axis.h) turns a view, never a file.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/cameras_json.h"
#include "io/splats/common/splat_file.h"

namespace app {

// The cameras of the run that a file of splats belongs to (run_folder.h).
struct RunCameras {
  std::filesystem::path folder;      // empty: there is none, or its cameras do not fit
  std::vector<io::NamedView> views;  // by name
  std::string warning;               // a sentence: they cannot be read, or do not fit
};

// They are believed where one of them has a fair part of the splats (a twentieth by opacity) in its picture as more
// than a dot: a folder may hold the cameras of another scene. Cost: at most 500 splats in at most 500 cameras.
RunCameras run_cameras_of(const std::filesystem::path& file, const splat::Gaussians& model);

struct KnownUp {
  std::array<double, 3> direction{};  // of length 1
  std::string source;                 // "the file", "TRELLIS's convention" or "'PATH/cameras.json'"
};

// The file's own, else that of the cameras of its run. None where those do not agree.
std::optional<KnownUp> known_up(const io::SplatFile& file, const std::filesystem::path& path);

}  // namespace app
