#include "app/options/mesh_options.h"

namespace app {

void add_mesh_rows(std::vector<OptionRow>& rows, MeshChoices& choices) {
  const char* const kMeshing = "Making a mesh";
  rows.push_back(choice_row({kMeshing, "", "mesh-detail", "NAME",
                             "coarse, normal or fine: voxels of 1/128, 1/256 or 1/512 of the median depth, but never "
                             "finer than the pictures show",
                             kMesh},
                            &choices.detail, {"coarse", "normal", "fine"}));
  rows.push_back(integer_row({kMeshing, "", "faces", "N",
                              "simplify to about this many faces, as far as a voxel's error allows; 0: do not", kMesh},
                             &choices.faces, 0, 1'000'000'000));
  rows.push_back(flag_row({kMeshing, "", "watertight", "", "close every hole, also where nothing was seen", kMesh},
                          &choices.watertight));
}

}  // namespace app
