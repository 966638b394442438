#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

void faces_row(uint64_t& faces) {
  constexpr int kMost = 100'000'000, kStep = 50'000, kLargeStep = 500'000;
  Row row("Faces",
          "Simplified to about as many, as far as a voxel's error allows; 0: 300 000 below a texture, else as "
          "many as there are. Default 0");
  int value = int(std::min<uint64_t>(faces, kMost));
  if (ImGui::InputInt("##mesh_faces", &value, kStep, kLargeStep)) faces = uint64_t(std::clamp(value, 0, kMost));
}

void region_row(const Workspace& work, MeshChoices& choices) {
  const std::optional<splat::Box>& box = work.edit.crop.box();
  bool on = choices.region && box;
  ImGui::BeginDisabled(!box);
  checkbox("Only inside the crop box", &on,
           box ? "The surface ends at the box's faces; what lies outside still hides what is behind it. Default off"
               : "There is no crop box: draw one in the edit mode (Ctrl+E, then J)");
  ImGui::EndDisabled();
  choices.region = on ? box : std::nullopt;
}

void settings_rows(MeshChoices& choices, bool has_photos) {
  named_choice_row("Detail",
                   "Voxels of 1/128, 1/256 or 1/512 of the median depth, never finer than the pictures show. Memory "
                   "grows by 4 with each step. Default normal",
                   "##mesh_detail", choices.detail, {"coarse", "normal", "fine"});
  faces_row(choices.faces);
  named_choice_row("Colours", "A texture of so many texels a side, or colours at the vertices, or none. Default 4096",
                   "##mesh_texture", choices.texture, {"1024", "2048", "4096", "8192", "vertex", "none"});
  checkbox("Watertight", &choices.watertight, "Closed everywhere, as printing needs it. Default off");
  if (has_photos)
    checkbox("From the photos", &choices.from_photos,
             "Depths are taken where the photos were, and colours from the photos; else from all around the splats, "
             "with their own colours. Default on");
}

}  // namespace

void ask_make_mesh(Workspace& work) { work.dialogs.show_mesh = work.can_make_mesh(); }

void draw_mesh_dialog(Workspace& work) {
  if (!begin_modal("Make a mesh", work.dialogs.show_mesh)) return;
  const bool has_photos = work.received.has_photos();
  settings_rows(work.dialogs.mesh, has_photos);
  region_row(work, work.dialogs.mesh);
  ImGui::Spacing();
  faint_text(work.appearance,
             has_photos ? "After the first seconds it says how long it takes and with how much memory."
                        : "There are no photos: the splats are looked at from all around, as an object. After the "
                          "first seconds it says how long it takes and with how much memory.");
  ImGui::Spacing();
  const bool start =
      main_button(work.appearance, "Make it", "The window can be used meanwhile", 0) || work.dialogs.confirmed;
  ImGui::SameLine();
  const bool cancel = button("Cancel", "Back to the window (Escape)") || work.dialogs.escaped;
  if (start && work.dialogs.mesh.region) work.settings.last_box = work.dialogs.mesh.region;
  if (start) work.app.commands.put(MakeMesh{work.dialogs.mesh});
  if (start || cancel || !work.dialogs.show_mesh) {
    work.dialogs.show_mesh = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace viewer
