#include "studio/edit/edit_panel.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "studio/cleanup/cleanup_panel.h"
#include "studio/edit/edit_histogram.h"
#include "studio/edit/object_list.h"
#include "studio/window/edit_result.h"
#include "viewer/widgets/icon_button.h"

namespace studio {
namespace {

// Whether there is what a step is for.
bool always(const EditedScene&) { return true; }
bool any_selected(const EditedScene& scene) { return scene.selected > 0; }
bool any_hidden(const EditedScene& scene) { return scene.hidden > 0; }
bool any_locked(const EditedScene& scene) { return scene.locked > 0; }
bool can_undo(const EditedScene& scene) { return !scene.undo.empty(); }
bool can_redo(const EditedScene& scene) { return !scene.redo.empty(); }

struct StepRow : Offer {  // no name: the window's own actions have it
  bool (*possible)(const EditedScene& scene);
  EditStep (*step)(const EditMode& edit);
  const char* icon;
};
template <class Step>
EditStep plain(const EditMode&) {
  return Step{};
}
template <class Step>
EditStep by_near(const EditMode& edit) {
  return Step{edit.near};
}
namespace step = splat::edit;
constexpr StepRow kSteps[] = {
    {{"Undo", "nothing to undo", nullptr, "Ctrl+Z"}, can_undo, plain<step::Undo>, icon::kUndo},
    {{"Redo", "nothing to redo", nullptr, "Ctrl+Shift+Z or Ctrl+Y"}, can_redo, plain<step::Redo>, icon::kRedo},
    {{"All", "Select all splats", "Select all splats", "Ctrl+A"}, always, plain<step::SelectAll>, icon::kAll},
    {{"None", "Select nothing, as Escape does", "Select nothing", "Ctrl+Shift+A"},
     any_selected,
     plain<step::SelectNone>,
     icon::kNone},
    {{"Invert", "Select the others instead", "Invert the selection", "I or Ctrl+I"},
     always,
     plain<step::InvertSelection>,
     icon::kInvert},
    {{"Grow", "Splats near a selected one join the selection", "Grow the selection", "+"},
     any_selected,
     by_near<step::GrowSelection>,
     icon::kGrow},
    {{"Shrink", "Selected splats near one that is not leave the selection", "Shrink the selection", "-"},
     any_selected,
     by_near<step::ShrinkSelection>,
     icon::kShrink},
    {{"Hide", "The selected splats are not shown until Unhide; they are saved all the same", "Hide the selected splats",
      "H"},
     any_selected,
     plain<step::HideSelected>,
     icon::kHide},
    {{"Lock", "The selected splats cannot be selected until Unlock", "Lock the selected splats", "K"},
     any_selected,
     plain<step::LockSelected>,
     icon::kLock},
    {{"Delete", "Delete the selected splats; Ctrl+Z brings them back", "Delete the selected splats", "Delete"},
     any_selected,
     plain<step::DeleteSelected>,
     icon::kDelete},
    {{"Duplicate", "Copies of the selected splats, which are selected instead", "Duplicate the selected splats",
      "Ctrl+D"},
     any_selected,
     plain<step::DuplicateSelected>,
     icon::kDuplicate},
    {{"Separate", "The selected splats become an object, which is listed below and can be saved alone",
      "Separate the selected splats", "Ctrl+J"},
     any_selected,
     plain<step::SeparateSelected>,
     icon::kSeparate},
    {{"Unhide", "Show what is hidden", "Show what is hidden", "Shift+H"},
     any_hidden,
     plain<step::UnhideAll>,
     icon::kShow},
    {{"Unlock", "Locked splats can be selected again", "Unlock all splats", "Shift+K"},
     any_locked,
     plain<step::UnlockAll>,
     icon::kUnlock},
};

std::string tip_of(const StepRow& row, const EditedScene& scene) {
  const std::string what = row.possible == can_undo ? scene.undo : row.possible == can_redo ? scene.redo : "";
  const std::string named = std::string(row.label) + ": " + what;
  Offer offer = row;
  if (!what.empty()) offer.tip = named.c_str();
  return (what.empty() ? std::string(row.label) + ": " : "") + offer.tooltip();
}

// Each at its place, whether it is possible or not.
void steps(Workspace& work) {
  constexpr size_t kColumns = 7;
  const EditedScene& scene = *work.edit.scene;
  const float gap = 4 * work.appearance.scale;
  const float cell = icon_cell(work.appearance, kColumns, ImGui::GetContentRegionAvail().x, gap);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (size_t i = 0; i < std::size(kSteps); ++i) {
    const StepRow& row = kSteps[i];
    if (i % kColumns != 0) ImGui::SameLine();
    ImGui::BeginDisabled(!row.possible(scene));
    if (icon_button(work.appearance, row.icon, row.button().c_str(), tip_of(row, scene), false, cell))
      send_edit(work, {row.step(work.edit)});
    ImGui::EndDisabled();
  }
  ImGui::PopStyleVar();
  Row row("Grow by", "How near, world units, for Grow and Shrink. Default twice the usual size of a splat");
  ImGui::InputDouble("##near", &work.edit.near, 0, 0, "%.3g");
}

void counts(const EditedScene& scene) {
  fact("Selected", count_text(scene.selected));
  fact("Hidden, locked", count_text(scene.hidden) + ", " + count_text(scene.locked));
  fact("Deleted", count_text(scene.deleted), "They go when the splats are saved; until then Ctrl+Z brings them back");
}

void ending(Workspace& work) {
  EvenRow row(work.appearance, 2);
  ImGui::BeginDisabled(!work.edit.scene->unsaved);
  if (row.button("Save edited splats...", "Write a file without what is deleted (Ctrl+S)"))
    work.dialogs.export_wanted = true, work.dialogs.export_object.reset();
  ImGui::EndDisabled();
  if (row.button("Done", "Leave the edit mode; the edits stay until the scene is closed (Ctrl+E)"))
    set_edit_mode(work, false);
}

// A cross, light on dark.
void draw_key_pointer(const Workspace& work, const ScenePlace& scene) {
  constexpr std::array<std::pair<float, ImU32>, 2> kLines{{{3.5f, IM_COL32(0, 0, 0, 160)}, {1.5f, IM_COL32_WHITE}}};
  const auto& pointer = work.edit.key_pointer.at();
  if (!pointer) return;
  const ImVec2 at = scene.at(Pixel{(*pointer)[0], (*pointer)[1]});
  const float arm = 9 * work.appearance.scale;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  for (const auto& [thick, colour] : kLines) {
    list.AddLine({at.x - arm, at.y}, {at.x + arm, at.y}, colour, thick * work.appearance.scale);
    list.AddLine({at.x, at.y - arm}, {at.x, at.y + arm}, colour, thick * work.appearance.scale);
  }
}

}  // namespace

void set_edit_mode(Workspace& work, bool on) {
  if (on && (!work.received.splats || work.received.live())) return;
  if (on && work.received.splats->iteration >= 0) return edit_result(work);
  work.edit.on = on;
  work.edit.tool().cancel();
  if (on) send_edit(work, {});
}

// The order never changes, and what the tool says of itself comes last: whatever tool is chosen, nothing else moves.
void draw_edit_panel(Workspace& work) {
  if (!work.edit.scene) return faint_text(work.appearance, "Preparing...");
  steps(work);
  counts(*work.edit.scene);
  ending(work);
  draw_object_list(work);
  draw_cleanup_panel(work);
  draw_edit_histogram(work);
}

void draw_edit_over_scene(Workspace& work, const ScenePlace& scene) {
  Tool& tool = work.edit.tool();
  if (work.edits() && tool.presses != Presses::kNone) draw_key_pointer(work, scene);
  work.edit.crop.draw_box(work, scene);
  if (work.edits()) tool.draw_over_scene(work, scene);
}

bool edit_pointer(Workspace& work, const InputEvent& event, double scale) {
  EditMode& edit = work.edit;
  if (!work.edits() || !edit.scene) return edit.crop.take_pointer(work, event, scale);
  edit.pointer = {event.x, event.y};
  return edit.tool().take_pointer(work, event, scale);
}

// What is there for the tool that is chosen comes before all others.
bool edit_key(Workspace& work, const std::string& keys) {
  EditMode& edit = work.edit;
  const std::string key = without_shift(keys);
  if (!work.edits() || !edit.scene || keys.empty()) return edit.crop.take_keys(work, keys);
  if (edit.tool().take_keys(work, keys)) return true;
  for (const std::string& one : {keys, key})  // Shift counts where a step has it
    for (const StepRow& row : kSteps)
      if (row.has(one)) return send_edit(work, {row.step(edit)}), true;
  for (const auto& tool : edit.tools)
    if (tool->offer.has(key)) return choose_tool(work, *tool), true;
  if (key == "X") return edit.visible = !edit.visible, true;
  if (key == "Escape" && edit.scene->selected > 0) return send_edit(work, {splat::edit::SelectNone{}}), true;
  return false;
}

std::vector<Action> edit_actions(Workspace& work) {
  if (!work.edits() || !work.edit.scene) return {};
  std::vector<Action> all;
  for (const auto& tool : work.edit.tools)
    all.push_back({tool->offer.name, tool->offer.keys, true, [&work, one = tool.get()] { choose_tool(work, *one); }});
  for (const StepRow& row : kSteps)
    if (row.name)
      all.push_back({.name = row.name,
                     .keys = row.first_keys(),
                     .possible = row.possible(*work.edit.scene),
                     .run = [&work, &row] { send_edit(work, {row.step(work.edit)}); },
                     .rule = row.step == plain<step::SelectAll>,
                     .on_scene = true});
  for (const auto& tool : work.edit.tools) tool->add_actions(work, all);
  add_cleanup_actions(work, all);
  return all;
}

}  // namespace studio
