// What --mesh is made with.
#pragma once

#include <string>
#include <vector>

#include "app/options/option_row.h"

namespace app {

struct MeshChoices {
  std::string detail = "normal";  // coarse, normal, fine
  uint64_t faces = 0;             // 0: as many as there are
  bool watertight = false;
};

void add_mesh_rows(std::vector<OptionRow>& rows, MeshChoices& choices);

}  // namespace app
