#include <algorithm>
#include <cctype>

#include "viewer/panels/panels.h"
#include "viewer/scene_name.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

constexpr const char* kEndings[] = {".glb", ".obj", ".ply"};

void facts(const ShownMesh& mesh) {
  fact("Mesh", count_text(mesh.faces) + " faces", mesh.name.c_str());
  fact("Vertices", count_text(mesh.vertices));
  fact("Colours", mesh.texture > 0 ? number_text(mesh.texture, "texture, %.0f texels a side") : "at the vertices");
  fact("Surface", mesh.open_edges == 0 ? "closed" : "open along " + count_text(mesh.open_edges) + " edges",
       "Closed: each edge has a face on both sides");
  if (mesh.seconds > 0) fact("Made in", duration_text(mesh.seconds));
}

void look_rows(Workspace& work) {
  MeshLook& look = work.look.mesh;
  {
    Row row("Surface",
            "textured: its own colours; shaded: lit from where you look, red where it is seen from inside; "
            "wireframe: its edges. Default textured");
    int value = int(look.surface);
    if (choice("##mesh_surface", &value, {"textured", "shaded", "wireframe"})) {
      look.surface = MeshSurface(value);
      work.look.changed = true;
    }
  }
  if (!work.received.splats && !work.received.dataset) return;
  if (checkbox("Show the mesh", &look.shown, "Else the splats alone. Default on")) work.look.changed = true;
  ImGui::BeginDisabled(!look.shown);
  Row row("Over the splats", "How much of the mesh is blended over the splats; 1: the mesh alone. Default 1");
  if (slider("##mesh_weight", &look.weight, {0, 1, 1})) work.look.changed = true;
  ImGui::EndDisabled();
}

std::filesystem::path with_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  const bool known = std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
  return known ? path : std::filesystem::path(path.string() + kEndings[0]);
}

}  // namespace

void ask_save_mesh(Workspace& work) {
  const std::string name = scene_name(work.received.scene_path()), plain = name.substr(0, name.find_first_of(".,", 1));
  work.ask_file(FileDialog::Kind::kSaveFile, "Save mesh (.glb, .obj or .ply)",
                (plain.empty() ? "mesh" : plain) + ".glb", [&work](const auto& path) {
                  work.ask(SaveMesh{with_ending(path), work.edit.measure.metres_per_unit().value_or(0)});
                });
}

void draw_mesh_panel(Workspace& work) {
  if (!work.received.mesh || !section("Mesh")) return;
  facts(*work.received.mesh);
  look_rows(work);
  EvenRow buttons(work.appearance, 2);
  if (buttons.button("Save mesh...",
                     "Write it to a file: .glb and .obj with the texture, .ply with colours at the "
                     "vertices"))
    ask_save_mesh(work);
  if (buttons.button("Close mesh", "Forget it; files stay")) work.close_mesh();
}

}  // namespace viewer
