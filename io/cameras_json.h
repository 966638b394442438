// INRIA's cameras.json: an array of {id, img_name, width, height, position, rotation, fy, fx}; position is the camera
// centre, rotation its world_from_cam rows (x right, y down, z forward). Ours adds cx and cy, which other readers
// ignore; where they are missing the principal point is the image centre.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "splat/core/result.h"
#include "splat/model/camera.h"
#include "splat/model/dataset.h"

namespace io {

struct NamedView {
  std::string name;
  splat::View view;
};

// cams_from_world: by view, in place of the dataset's; empty: those.
splat::Status write_cameras_json(const std::filesystem::path& path, const splat::Dataset& dataset,
                                 std::span<const splat::Rigid3> cams_from_world = {});
splat::Result<std::vector<NamedView>> read_cameras_json(const std::filesystem::path& path);
splat::Result<std::vector<NamedView>> parse_cameras_json(std::string_view text, const std::string& name);

}  // namespace io
