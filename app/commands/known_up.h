// Which way is up in a splat file. Splats alone do not tell: a floor may be a ceiling. Files may say it, and so do the
// cameras that trainers leave beside them, since people hold cameras upright.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "io/splats/common/splat_file.h"

namespace app {

struct KnownUp {
  std::array<double, 3> direction{};  // of length 1
  std::string source;                 // "the file", or "'PATH/cameras.json'"
};

// From the cameras.json of the run that `path` belongs to (run_folder.h). Nothing is said of one that cannot
// be read, or whose cameras do not agree.
std::optional<KnownUp> known_up(const io::SplatFile& file, const std::filesystem::path& path);

}  // namespace app
