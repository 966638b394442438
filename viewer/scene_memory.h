// What is remembered of one scene from one opening to the next, beside the scene itself.
#pragma once

#include <optional>

#include "viewer/camera/navigator.h"

namespace viewer {

struct SceneMemory {
  std::optional<Vec3> up;  // unit, chosen by the user; none: as estimated
  Navigator::Bookmarks bookmarks;

  bool empty() const;
  friend bool operator==(const SceneMemory& a, const SceneMemory& b);
};

}  // namespace viewer
