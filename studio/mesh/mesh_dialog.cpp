// What a mesh is to be made with.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "studio/mesh/feature.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

void faces_row(uint64_t& faces) {
  constexpr int kMost = 100'000'000;
  Row row("Faces",
          "Simplified to about as many, as far as a voxel's error allows. Default automatic: 300 000 below a texture, "
          "else as many as there are");
  int value = int(std::min<uint64_t>(faces, kMost));
  if (count_field("##mesh_faces", &value, kMost)) faces = uint64_t(value);
}

void colours_row(std::string& texture) {
  constexpr std::array<const char*, 6> kValues{"1024", "2048", "4096", "8192", "vertex", "none"};
  static const std::vector<const char*> names{"texture of 1024 px", "texture of 2048 px", "texture of 4096 px",
                                              "texture of 8192 px", "at the vertices",    "none"};
  Row row("Colours",
          "A texture with this number of pixels a side, or colours at the vertices, or none. Default 4096 px");
  int index = int(std::find(kValues.begin(), kValues.end(), texture) - kValues.begin());
  if (choice("##mesh_texture", &index, names)) texture = kValues[size_t(index)];
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
  colours_row(choices.texture);
  checkbox("Watertight", &choices.watertight, "Closed everywhere, as printing needs it. Default off");
  if (has_photos)
    checkbox("From the photos", &choices.from_photos,
             "Depths are taken where the photos were, and colours from the photos; else from all around the splats, "
             "with their own colours. Default on");
}

}  // namespace

// Two lines, whatever is known, so that the buttons stay where they are.
void MeshFeature::draw_prediction() {
  const std::optional<MeshPrediction>& p = prediction_;
  const bool known = p && p->problem.empty();
  const std::string first = known                             ? "About " + duration_text(p->seconds)
                            : p                               ? "Time and memory are not known:"
                            : work.received.training_active() ? "After its first seconds it says how long it takes"
                                                              : "Looking from a few views...";
  const std::string second = known ? "with " + bytes_text(p->memory_bytes) + " of memory at most" : p ? p->problem : "";
  ImGui::BeginGroup();
  ImGui::TextUnformatted(first.c_str());
  ImGui::TextDisabled("%s", elided(second, ImGui::GetContentRegionAvail().x).c_str());
  ImGui::EndGroup();
  tooltip(known ? "What it is expected to take, from a few of its views and the beginning of their surface. A machine "
                  "that does other work meanwhile takes longer; so do photos that are still to be read"
          : p   ? p->problem.c_str()
                : nullptr);
}

void MeshFeature::draw_dialogs() {
  if (!begin_modal("Make a mesh", asks_)) return;
  const bool has_photos = work.received.has_photos();
  settings_rows(choices_, has_photos);
  region_row(work, choices_);
  if (!has_photos)
    faint_text(work.appearance, "There are no photos: the splats are looked at from all around, as an object.");
  ImGui::Spacing();
  want_prediction();
  draw_prediction();
  ImGui::Spacing();
  const bool start =
      main_button(work.appearance, "Make it", "The window can be used meanwhile", 0) || work.dialogs.confirmed;
  ImGui::SameLine();
  const bool cancel = button("Cancel", "Back to the window (Escape)") || work.dialogs.escaped;
  if (start && choices_.region) work.settings.last_box = choices_.region;
  if (start) work.ask(MakeMesh{choices_});
  if (start || cancel || !asks_) {
    asks_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace studio
