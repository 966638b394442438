// What --mesh is made with.
#pragma once

#include <string>
#include <vector>

#include "app/settings/row.h"

namespace app {

inline constexpr uint64_t kTexturedFaces = 300'000;
inline constexpr int kDefaultTexture = 4096;  // texels

struct MeshChoices {
  std::string detail = "normal";  // coarse, normal, fine
  uint64_t faces = 0;             // 0: as many as there are, below a texture kTexturedFaces
  std::string texture;            // side in texels, "vertex" or "none"; empty: by the kind of file
  bool watertight = false;
};

void add_mesh_rows(std::vector<OptionRow>& rows, MeshChoices& choices);

}  // namespace app
