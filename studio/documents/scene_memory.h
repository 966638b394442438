// What is remembered of a scene until it is opened again.
#pragma once

#include <optional>

#include "splat/model/box.h"
#include "splat/path/camera_path.h"
#include "studio/names.h"
#include "viewer/camera/navigator.h"

namespace studio {

struct SceneMemory {
  std::optional<Vec3> up;  // unit, chosen by the user; none: as estimated
  Navigator::Bookmarks bookmarks;
  std::optional<double> metres_per_unit;  // within Measure's bounds
  std::optional<splat::Box> crop_box;
  splat::CameraPath path;  // without keys: none

  bool empty() const;
  friend bool operator==(const SceneMemory& a, const SceneMemory& b);
};

}  // namespace studio
