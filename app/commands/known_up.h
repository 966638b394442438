// The up axis of a splat file. It cannot be seen from splats alone (a floor may be a ceiling); some files name it,
// generators of objects always have the same, and the cameras that trainers write beside them show it, since people
// hold cameras upright.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "io/splats/common/splat_file.h"

namespace app {

struct KnownUp {
  std::array<double, 3> direction{};  // of length 1
  std::string source;                 // "the file", "LGM's convention" or "'PATH/cameras.json'"
};

// The file's own, else from the cameras.json of the run that `path` belongs to (run_folder.h). None where that cannot
// be read, or its cameras do not agree.
std::optional<KnownUp> known_up(const io::SplatFile& file, const std::filesystem::path& path);

}  // namespace app
