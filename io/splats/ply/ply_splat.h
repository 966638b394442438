// Shared by plain and compressed splat PLYs: the comments of known tools, and the names of spherical harmonics.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "io/splats/common/splat_file.h"
#include "io/splats/ply/ply_header.h"
#include "splat/core/result.h"

namespace io {

// What the tools in the wild say: Brush, Postshot, OpenSplat, splat-transform, hipsplat.
void read_ply_comments(const std::vector<std::string>& comments, SplatFile& file);

// What the positions of a file in survey coordinates are best counted from, where it says so.
std::optional<std::array<double, 3>> local_origin_in(const std::vector<std::string>& comments);

// Comment lines that say what `info` does.
std::string ply_comments(const SplatFileInfo& info, int sh_degree);

// The SH degree that the f_rest_* properties of an element stand for: 0..4. They are channel-major.
struct RestProperties {
  int degree = 0;
  size_t per_channel = 0;  // in the file
};
splat::Result<RestProperties> find_rest(const PlyElement& element, const std::string& name);

}  // namespace io
