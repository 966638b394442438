#include "viewer/edit/object_list.h"

#include <imgui/imgui.h>

#include <string>

#include "viewer/edit/edit_panel.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

void select_object(Workspace& work, uint32_t object) {
  const ImGuiIO& io = ImGui::GetIO();
  EditRequest request;
  request.step = EditStep::kSelectObject;
  request.object = object;
  request.mode = mode_of({io.KeyShift, io.KeyCtrl, io.KeyAlt});
  send_edit(work, std::move(request));
}

}  // namespace

void draw_object_list(Workspace& work) {
  const std::vector<size_t>& objects = work.edit.scene->objects;
  if (objects.size() < 2 || !section("Objects")) return;
  const float save = ImGui::CalcTextSize("Save...").x + 2 * ImGui::GetStyle().FramePadding.x;
  for (uint32_t object = 0; object < objects.size(); ++object) {
    if (objects[object] == 0) continue;  // all of it went into others, or was deleted
    ImGui::PushID(int(object));
    const std::string name = object == 0 ? "the rest" : "part " + std::to_string(object);
    const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
    ImGui::AlignTextToFramePadding();
    if (ImGui::Selectable((name + "##object").c_str(), false, ImGuiSelectableFlags_AllowOverlap))
      select_object(work, object);
    note_place(("Object " + std::to_string(object)).c_str());
    tooltip("Select its splats. Shift adds, Ctrl removes, both intersect");
    const std::string count = count_text(objects[object]);
    ImGui::SameLine(right - save - ImGui::GetStyle().ItemSpacing.x - ImGui::CalcTextSize(count.c_str()).x);
    ImGui::TextDisabled("%s", count.c_str());
    ImGui::SameLine(right - save);
    if (button("Save...", "Write this object alone to a file")) {
      work.dialogs.export_object = object;
      work.dialogs.export_wanted = true;
    }
    note_place(("Save " + std::to_string(object)).c_str());
    ImGui::PopID();
  }
}

}  // namespace viewer
