// Clouds of points in files of their own, as scanners and programs for clouds write them: PLY (without splats), and
// texts with a point a line (.xyz, .pts, .txt, .asc, .csv): x y z first, then colours, intensities and normals in any
// of the usual orders, by the names of a header line where there is one. Colours of 0 to 255 or 0 to 1; without any,
// grey.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "splat/core/result.h"
#include "splat/model/dataset.h"

namespace io {

// Whether this is such a file, by its name and a PLY by its header, too: one of splats is none.
bool is_point_file(const std::filesystem::path& file);

// "'a.las' is a LAS point cloud, which hipsplat does not read: ..." with the way, by the name; empty: none of these.
std::string unread_point_file(const std::filesystem::path& file);

// Positions are counted from `origin` of the result. Points whose position is not finite or absurdly large are left
// out; a line that is none is an error with its number.
splat::Result<splat::PointCloud> read_point_file(const std::filesystem::path& file);
splat::Result<splat::PointCloud> parse_point_text(std::string_view text, const std::string& name);

}  // namespace io
