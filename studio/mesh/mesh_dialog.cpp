// What a mesh is to be made with.
#include <string>
#include <vector>

#include "studio/mesh/feature.h"
#include "studio/window/form.h"
#include "viewer/widgets/widgets.h"

namespace studio {

void MeshFeature::region_row() {
  const std::optional<splat::Box>& box = work.edit.crop.box();
  splat::Box& region = request_.settings.region;
  bool on = !region.empty() && box;
  ImGui::BeginDisabled(!box);
  checkbox("Only inside the crop box", &on,
           box ? "The surface ends at the box's faces; what lies outside still hides what is behind it. Default off"
               : "There is no crop box: draw one in the edit mode (Ctrl+E, then J)");
  ImGui::EndDisabled();
  region = on ? *box : splat::Box{};
}

// Two lines, whatever is known, so that the buttons stay where they are.
void MeshFeature::draw_prediction() {
  const std::optional<MeshPrediction>& p = prediction_;
  const bool known = p && p->problem.empty();
  const std::string first = known                             ? "About " + duration_text(p->takes.seconds)
                            : p                               ? "Time and memory are not known:"
                            : work.received.training_active() ? "After its first seconds it says how long it takes"
                                                              : "Looking from a few views...";
  const std::string second = known ? "with " + bytes_text(p->takes.memory_bytes) + " of memory at most"
                             : p   ? p->problem
                                   : "";
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
  std::vector<OptionRow> rows;
  add_mesh_rows(rows, request_.settings);
  draw_form(rows);
  if (has_photos)
    checkbox("From the photos", &request_.from_photos,
             "Depths are taken where the photos were, and colours from the photos; else from all around the splats, "
             "with their own colours. Default on");
  region_row();
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
  if (start && !request_.settings.region.empty()) work.settings.last_box = request_.settings.region;
  if (start) work.ask(MakeMesh{request_});
  if (start || cancel || !asks_) {
    asks_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace studio
