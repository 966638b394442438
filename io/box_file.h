// A box in a small JSON file, as the window saves its crop box and --region reads it:
//   {"version": 1, "low": [-1, -1, -1], "high": [1, 1, 1], "rotation": [1, 0, 0, 0]}
// Corners in the coordinates of the splats before the box is turned about its middle by a quaternion, w first; without
// one it lies along the axes.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "splat/core/result.h"
#include "splat/model/box.h"

namespace io {

nlohmann::json to_json(const splat::Box& box);
// A usable box, its rotation of length 1 (any length above 0 is read); none: the value is no such box.
std::optional<splat::Box> box_from_json(const nlohmann::json& value);

splat::Result<splat::Box> read_box_file(const std::filesystem::path& path);
splat::Status write_box_file(const std::filesystem::path& path, const splat::Box& box);

}  // namespace io
