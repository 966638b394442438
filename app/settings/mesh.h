// What a mesh is made with: of splats, seen from where their photos were taken or from all around.
#pragma once

#include <string>
#include <vector>

#include "app/settings/row.h"
#include "splat/model/box.h"

namespace app {

inline constexpr uint64_t kTexturedFaces = 300'000;
inline constexpr int kDefaultTexture = 4096;  // texels

struct MeshSettings {
  std::string detail = "normal";  // coarse, normal, fine
  uint64_t faces = 0;             // 0: as many as there are, below a texture kTexturedFaces
  std::string texture;            // side in texels, "vertex" or "none"; empty: by the kind of file
  bool watertight = false;
  splat::Box region{};  // only the surface in it; empty: everywhere

  friend bool operator==(const MeshSettings&, const MeshSettings&) = default;
};

// All but the region, which training has, too.
void add_mesh_rows(std::vector<OptionRow>& rows, MeshSettings& settings);

}  // namespace app
