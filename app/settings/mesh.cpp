#include "app/settings/mesh.h"

#include <fmt/format.h>

namespace app {
namespace {

constexpr int kLeastTexture = 1024, kMostTexture = 8192;

OptionRow texture_row(OptionRow row, std::string* target) {
  row.choices = {"1024", "2048", "4096", "8192", "vertex", "none"};
  row.usual = std::to_string(kDefaultTexture);
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

void add_mesh_rows(std::vector<OptionRow>& rows, MeshSettings& settings) {
  const char* const kMeshing = "Making a mesh";
  rows.push_back(
      labelled(choice_row({kMeshing, "", "mesh-detail", "NAME",
                           "coarse, normal or fine: voxels of 1/128, 1/256 or 1/512 of the median depth, but never "
                           "finer than the pictures show",
                           kMesh},
                          &settings.detail, {"coarse", "normal", "fine"}),
               "Detail"));
  rows.push_back(labelled(
      integer_row({kMeshing, "", "faces", "N",
                   "simplify to about this many faces, as far as a voxel's error allows; 0: do not, but to 300000 "
                   "below a texture",
                   kMesh},
                  &settings.faces, 0, 1'000'000'000),
      "Faces"));
  rows.push_back(labelled(
      texture_row({kMeshing, "", "texture", "1024..8192|vertex|none",
                   "side of the texture in texels, from the photos where there are any; vertex: colours at the "
                   "vertices instead (default: 4096, of a .ply vertex)",
                   kMesh},
                  &settings.texture),
      "Colours",
      {"texture of 1024 px", "texture of 2048 px", "texture of 4096 px", "texture of 8192 px", "at the vertices",
       "none"}));
  rows.push_back(labelled(flag_row({kMeshing, "", "watertight", "",
                                    "close the mesh: its holes, and by a back where views look through", kMesh},
                                   &settings.watertight),
                          "Watertight"));
}

}  // namespace app
