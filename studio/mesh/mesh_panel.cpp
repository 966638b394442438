// The section on the mesh that is shown.
#include "studio/mesh/feature.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

void facts(const ShownMesh& mesh) {
  fact("Faces", count_text(mesh.faces), mesh.name.c_str());
  fact("Vertices", count_text(mesh.vertices));
  fact("Colours", mesh.texture > 0 ? number_text(mesh.texture, "texture of %.0f px")
                  : mesh.coloured  ? "at the vertices"
                                   : "none");
  fact("Surface", mesh.open_edges == 0 ? "closed" : "open along " + count_text(mesh.open_edges) + " edges",
       "Closed: each edge has a face on both sides");
  if (mesh.seconds > 0) fact("Made in", duration_text(mesh.seconds));
}

}  // namespace

void MeshFeature::look_rows() {
  MeshLook& look = layer_.look;
  {
    Row row("Drawn as",
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

void MeshFeature::draw_panel() {
  if (!section("Mesh")) return;
  facts(*mesh_);
  look_rows();
  EvenRow buttons(work.appearance, 2);
  if (buttons.button("Save mesh...",
                     "Write it to a file: .glb and .obj with the texture, .ply with colours at the "
                     "vertices"))
    ask_save();
  if (buttons.button("Close mesh", "Forget it; files stay")) drop(), work.ask(CloseMesh{});
}

}  // namespace studio
