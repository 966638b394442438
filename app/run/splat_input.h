// What --convert, --info and the window take as splats: every splat format, and coloured point clouds.
#pragma once

#include <filesystem>

#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace app {

// A coloured point cloud (PLY with red, green, blue) becomes round, opaque splats of half the distance to their nearest
// neighbours, at most the median of that, with a warning that says so.
splat::Result<io::SplatFile> read_splats_or_points(const std::filesystem::path& path, int threads = 0);

}  // namespace app
