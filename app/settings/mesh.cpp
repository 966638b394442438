#include "app/settings/mesh.h"

#include <fmt/format.h>

namespace app {
namespace {

constexpr int kLeastTexture = 1024, kMostTexture = 8192;

OptionRow texture_row(OptionRow row, std::string* target) {
  row.set = [target](const std::string& text) -> splat::Status {
    const auto side = parse_integer(text);
    if (text != "vertex" && text != "none" && !(side && *side >= kLeastTexture && *side <= kMostTexture))
      return splat::Error{fmt::format("--texture needs a side from {} to {}, vertex or none, not '{}'", kLeastTexture,
                                      kMostTexture, text)};
    *target = text;
    return {};
  };
  row.get = [target] { return target->empty() ? nlohmann::json() : nlohmann::json(*target); };
  return row;
}

}  // namespace

void add_mesh_rows(std::vector<OptionRow>& rows, MeshChoices& choices) {
  const char* const kMeshing = "Making a mesh";
  rows.push_back(choice_row({kMeshing, "", "mesh-detail", "NAME",
                             "coarse, normal or fine: voxels of 1/128, 1/256 or 1/512 of the median depth, but never "
                             "finer than the pictures show",
                             kMesh},
                            &choices.detail, {"coarse", "normal", "fine"}));
  rows.push_back(integer_row({kMeshing, "", "faces", "N",
                              "simplify to about this many faces, as far as a voxel's error allows; 0: do not, but to "
                              "300000 below a texture",
                              kMesh},
                             &choices.faces, 0, 1'000'000'000));
  rows.push_back(texture_row({kMeshing, "", "texture", "1024..8192|vertex|none",
                              "side of the texture in texels, from the photos where there are any; vertex: colours at "
                              "the vertices instead (default: 4096, of a .ply vertex)",
                              kMesh},
                             &choices.texture));
  rows.push_back(flag_row(
      {kMeshing, "", "watertight", "", "close the mesh: its holes, and by a back where views look through", kMesh},
      &choices.watertight));
}

}  // namespace app
