#include "studio/edit/object_list.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include "studio/edit/send_edit.h"
#include "studio/window/clicked.h"
#include "studio/window/panels.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr double kLeastObjectScale = 1e-6, kLargestObjectScale = 1e6;

void save_object(Workspace& work, uint32_t object) {
  work.dialogs.export_object = object;
  work.dialogs.export_wanted = true;
}

void object_row(Workspace& work, uint32_t object) {
  const SceneObject& seen = work.edit.scene->objects[object];
  const std::string number = std::to_string(object), count = count_text(seen.rows);
  const float save = ImGui::CalcTextSize("Save...").x + 2 * ImGui::GetStyle().FramePadding.x;
  const float gap = ImGui::GetStyle().ItemSpacing.x, right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  bool visible = seen.object.visible;
  if (ImGui::Checkbox("##visible", &visible)) send_edit(work, {splat::edit::ShowObject{object, visible}});
  note_place(("Visible " + number).c_str());
  tooltip(visible ? "Hide this object; it is saved all the same" : "Show this object");
  ImGui::SameLine();
  constexpr float kNameEms = 8;  // what is longer may be cut
  const std::string name = seen.object.name + (seen.object.locked ? " (locked)" : "");
  const float room = right - ImGui::GetCursorPosX(),
              count_at = right - save - gap - ImGui::CalcTextSize(count.c_str()).x;
  const float beside = count_at - gap - ImGui::GetCursorPosX();
  const bool one_line = beside >= std::min(kNameEms * ImGui::GetFontSize(), ImGui::CalcTextSize(name.c_str()).x);
  const std::string shown = elided(name, std::max(one_line ? beside : room, 20.0f));
  if (ImGui::Selectable((shown + "##object").c_str(), work.edit.objects.looked_at == object,
                        ImGuiSelectableFlags_AllowOverlap)) {
    work.edit.objects.looked_at = object;
    work.edit.objects.into_view = true;
    const ImGuiIO& io = ImGui::GetIO();
    send_edit(work, {splat::edit::SelectObject{object, mode_of({io.KeyShift, io.KeyCtrl, io.KeyAlt})}});
  }
  menu_of_item(work, {Thing::kObject, int(object), seen.object.name});
  note_place(("Object " + number).c_str());
  tooltip((seen.object.name + ": select its splats, and see where it lies. Shift adds, Ctrl removes, both intersect")
              .c_str());
  if (one_line)
    ImGui::SameLine(count_at);
  else
    ImGui::SetCursorPosX(count_at);
  ImGui::TextDisabled("%s", count.c_str());
  ImGui::SameLine(right - save);
  if (button("Save...", "Write this object alone to a file")) save_object(work, object);
  note_place(("Save " + number).c_str());
}

// What is typed follows the object until it is typed into.
void follow(Workspace& work, ObjectEditor& editor, uint32_t object) {
  if (editor.read_from == work.edit.scenes && editor.read_of == object) return;
  editor.read_from = work.edit.scenes;
  editor.read_of = object;
  const splat::edit::Object& seen = work.edit.scene->objects[object].object;
  std::snprintf(editor.name.data(), editor.name.size(), "%s", seen.name.c_str());
  editor.position = seen.placed.translation;
  editor.turn_deg = splat::degrees_about_axes(seen.placed.rotation);
  editor.scale = seen.placed.scale;
}

void name_field(Workspace& work, ObjectEditor& editor, uint32_t object) {
  Row row("Name", "Name of the object. Enter renames it");
  if (std::exchange(editor.renames, false)) ImGui::SetKeyboardFocusHere();
  ImGui::InputText("##name", editor.name.data(), editor.name.size(), ImGuiInputTextFlags_AutoSelectAll);
  note_place("Object name");
  if (!ImGui::IsItemDeactivatedAfterEdit() || editor.name[0] == 0) return;
  send_edit(work, {splat::edit::RenameObject{object, editor.name.data()}});
}

// True: something else was entered.
bool numbers(const char* label, const char* tip, double* values, int count, const char* format) {
  Row row(label, tip);
  ImGui::InputScalarN(("##" + std::string(label)).c_str(), ImGuiDataType_Double, values, count, nullptr, nullptr,
                      format);
  note_place(label);
  return ImGui::IsItemDeactivatedAfterEdit();
}

void place_fields(Workspace& work, ObjectEditor& editor, uint32_t object) {
  const splat::Similarity& placed = work.edit.scene->objects[object].object.placed;
  splat::Similarity to = placed;
  const bool moved = numbers("Position", "x, y, z of the origin of its file, world units. Enter moves it",
                             editor.position.data(), 3, "%.5g");
  const bool turned = numbers("Rotation",
                              "Degrees about x, then y, then z, around the origin of its file; view-dependent colours "
                              "turn along. Enter turns it",
                              editor.turn_deg.data(), 3, "%.4g");
  const bool scaled =
      numbers("Scale", "1: as in its file; around the origin of that. Enter scales it", &editor.scale, 1, "%.6g");
  if (moved) to.translation = editor.position;
  if (turned) to.rotation = splat::quat_about_axes(editor.turn_deg);
  if (scaled) to.scale = editor.scale;
  if (!moved && !turned && !scaled) return;
  editor.read_of.reset();  // what cannot be is not left standing
  const bool finite = std::isfinite(to.translation[0] + to.translation[1] + to.translation[2] + to.rotation.w);
  if (!finite || !(to.scale >= kLeastObjectScale && to.scale <= kLargestObjectScale))
    return work.say("positions and angles are finite numbers, and a scale is one from 0.000001 to 1000000");
  send_edit(work, {splat::edit::PlaceObject{object, to}});
}

void looked_at_object(Workspace& work, ObjectEditor& editor, uint32_t object) {
  follow(work, editor, object);
  ImGui::Spacing();
  name_field(work, editor, object);
  bool locked = work.edit.scene->objects[object].object.locked;
  if (checkbox("Locked", &locked, "Its splats are neither selected nor moved nor deleted"))
    send_edit(work, {splat::edit::LockObject{object, locked}});
  ImGui::BeginDisabled(locked);
  place_fields(work, editor, object);
  ImGui::EndDisabled();
  if (editor.into_view && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(1);
  editor.into_view = false;
}

}  // namespace

void add_object_actions(Workspace& work, uint32_t object, std::vector<Action>& all) {
  if (!work.edit.scene || object >= work.edit.scene->objects.size()) return;
  const splat::edit::Object& seen = work.edit.scene->objects[object].object;
  const auto add = [&](const char* name, bool possible, std::function<void()> run, bool rule = false) {
    all.push_back({.name = name, .possible = possible, .run = std::move(run), .menu = "Object", .rule = rule});
  };
  const auto step = [&work](EditStep what) { return [&work, what = std::move(what)] { send_edit(work, {what}); }; };
  const bool touchable = seen.visible && !seen.locked;
  add("Select its splats", touchable, step(splat::edit::SelectObject{object}));
  add(seen.visible ? "Hide it" : "Show it", true, step(splat::edit::ShowObject{object, !seen.visible}));
  add(seen.locked ? "Unlock it" : "Lock it", true, step(splat::edit::LockObject{object, !seen.locked}));
  add("Rename it...", true, [&work, object] {
    work.edit.objects.looked_at = object;
    work.edit.objects.into_view = work.edit.objects.renames = true;
  });
  add("Save it alone...", true, [&work, object] { save_object(work, object); });
  add(
      "Delete its splats", touchable,
      [&work, object] {
        send_edit(work, {splat::edit::SelectObject{object}});
        send_edit(work, {splat::edit::DeleteSelected{}});
      },
      true);
}

void draw_object_list(Workspace& work) {
  if (!section("Objects")) return;
  const std::vector<SceneObject>& objects = work.edit.scene->objects;
  for (uint32_t object = 0; object < objects.size(); ++object) {
    if (objects[object].rows == 0) continue;  // all of it went into others, or was deleted
    ImGui::PushID(int(object));
    object_row(work, object);
    ImGui::PopID();
  }
  if (button("Add a file...",
             "Another splat file, as an object of this scene; files can also be given on the command line", -1))
    ask_add_file(work);
  ObjectEditor& editor = work.edit.objects;
  if (editor.looked_at && *editor.looked_at < objects.size() && objects[*editor.looked_at].rows > 0)
    looked_at_object(work, editor, *editor.looked_at);
}

}  // namespace studio
