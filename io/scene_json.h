// scene.json beside a dataset or in the folder of a run, NAME.scene.json beside a splat file whose format has no place
// for it: where on earth positions are counted from.
//   {"version": 1, "origin": [500000, 5400000, 120], "epsg": 25832}
// Position + origin = coordinates of the reference system with that EPSG code, in double precision. Both may be left
// out.
#pragma once

#include <array>
#include <filesystem>

#include "splat/core/result.h"

namespace io {

struct SceneFrame {
  std::array<double, 3> origin{0, 0, 0};
  int epsg = 0;  // 0: not known

  bool says_something() const { return epsg != 0 || origin != std::array<double, 3>{0, 0, 0}; }
  bool operator==(const SceneFrame&) const = default;
};

// Of a folder; nothing is said where it has no such file.
splat::Result<SceneFrame> read_scene_json(const std::filesystem::path& folder);
splat::Status write_scene_json(const std::filesystem::path& folder, const SceneFrame& frame);

// The same of one splat file: garden.spz has garden.spz.scene.json. Of a frame that says nothing, the file is removed.
std::filesystem::path scene_json_of(const std::filesystem::path& splats);
splat::Result<SceneFrame> read_scene_json_of(const std::filesystem::path& splats);
splat::Status write_scene_json_of(const std::filesystem::path& splats, const SceneFrame& frame);

}  // namespace io
