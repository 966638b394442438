// scene.json beside a dataset or in the folder of a run, NAME.scene.json beside a splat file whose format has no place
// for it: where on earth positions are counted from, how long a unit is and, of splats, the low pass they are drawn
// with.
//   {"version": 1, "origin": [500000, 5400000, 120], "epsg": 25832, "metres_per_unit": 1, "low_pass": 0.1}
// Position + origin = coordinates of the reference system with that EPSG code, in double precision. Each may be left
// out. "of", the stamp of a splat file (companion.h): it is of this file, and not of another one that has its name now.
#pragma once

#include <array>
#include <filesystem>

#include "splat/core/result.h"
#include "splat/model/screen_filter.h"

namespace io {

struct SceneFrame {
  std::array<double, 3> origin{0, 0, 0};
  int epsg = 0;                // 0: not known
  double metres_per_unit = 0;  // 0: not known

  // Where on earth it lies.
  bool says_something() const { return epsg != 0 || origin != std::array<double, 3>{0, 0, 0}; }
  bool empty() const { return *this == SceneFrame{}; }
  // What positions are multiplied with where a format counts in metres, as glTF does: 1 where no scale is known, and
  // where the reference system decides what a unit is.
  double to_metres() const { return says_something() || metres_per_unit == 0 ? 1 : metres_per_unit; }
  bool operator==(const SceneFrame&) const = default;
};

// Reads the file of a folder; a default frame if there is none.
splat::Result<SceneFrame> read_scene_json(const std::filesystem::path& folder);
splat::Status write_scene_json(const std::filesystem::path& folder, const SceneFrame& frame);

// The same of one splat file: garden.spz has garden.spz.scene.json. Where it would say nothing, the file is removed.
struct BesideSplats {
  SceneFrame frame;
  float low_pass = splat::kUsualLowPass;  // px^2
};
std::filesystem::path scene_json_of(const std::filesystem::path& splats);
splat::Result<BesideSplats> read_scene_json_of(const std::filesystem::path& splats);
splat::Status write_scene_json_of(const std::filesystem::path& splats, const BesideSplats& facts);

}  // namespace io
