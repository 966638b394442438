// What a mesh is to be made with: the settings of --mesh, by the names of the command line; tests compare the defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "splat/model/box.h"

namespace viewer {

struct MeshChoices {
  std::string detail = "normal";  // "coarse", "normal", "fine"
  uint64_t faces = 0;             // 0: 300 000 below a texture, else as many as there are
  std::string texture = "4096";   // a side in texels, "vertex" or "none"
  bool watertight = false;
  std::optional<splat::Box> region{};  // only the surface in it; none: all
  bool from_photos = true;             // where there are any; else the splats' own colours, from views around them

  friend bool operator==(const MeshChoices&, const MeshChoices&) = default;
};

}  // namespace viewer
