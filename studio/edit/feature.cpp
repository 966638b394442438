#include "studio/edit/feature.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "studio/edit/edit_panel.h"
#include "studio/edit/object_list.h"
#include "studio/edit/tool_bar.h"
#include "studio/window/edit_result.h"
#include "viewer/widgets/widgets.h"

namespace studio {

EditFeature::EditFeature(Workspace& shared) : Feature(shared) {
  work.bridge.reports.on<EditedScene>([this](EditedScene&& scene) { arrived_ = std::move(scene); });
  work.bridge.reports.on<EditsFound>([this](EditsFound&& found) {
    if (work.program.attended) found_ = std::move(found);
  });
}

// Edits of a scene that is about to be received wait for it, those of one that was open are dropped; so are those
// that newer ones, with other rows, follow.
void EditFeature::take_arrived() {
  EditMode& edit = work.edit;
  const std::optional<OpenedSplats>& splats = work.received.splats;
  if (arrived_ && splats && arrived_->splats == splats->path) {
    if (arrived_->states.size() == work.received.splat_rows) {
      edit.on |= arrived_->added;  // where the objects are listed
      edit.take(std::move(*arrived_));
      if (edit.scene->wants.ground) take_ground();
      if (edit.scene->missed) work.say_nothing_is_there();
    }
    arrived_.reset();
    work.look.changed = true;
  }
  if (edit.scene) edit.cleanup.keep_rows(edit.scene->proposal, edit.scene->proposed_rows);
}

void EditFeature::each_frame() {
  if (edit_is_wanted(work)) set_edit_mode(work, true);
  take_arrived();
}

void EditFeature::take_ground() {
  const auto& ground = work.edit.scene->ground;
  if (!ground) return work.say("no ground was found: nothing that is large and nearly level lies under the scene");
  work.look.navigator.set_up(vec3(ground->up));
  work.say("the ground is level: " + std::to_string(int(100 * ground->share)) + " % of the splats lie on it");
}

void EditFeature::add_sections(Column column, std::vector<PanelSection>& sections) {
  if (column != Column::kRight || !work.edits()) return;
  sections.push_back({0, "", "Edit", [this] { draw_edit_panel(work); }});
  sections.push_back({5, "history", "History", [this] { draw_history(work); }});
  sections.push_back({6, "", "Edit", [this] { draw_tool_details(work); }});  // last: they come and go with the tool
}

void EditFeature::draw_over_scene(const ScenePlace& scene) { draw_edit_over_scene(work, scene); }

void EditFeature::add_actions(const std::string& wanted, std::vector<Action>& all) {
  if (wanted.empty())
    for (Action& action : edit_actions(work)) all.push_back(std::move(action));
  if (wanted == menu_of(Thing::kObject)) add_object_actions(work, uint32_t(work.dialogs.clicked->number), all);
  if (wanted != "Edit") return;
  const EditedScene* scene = work.edit.scene ? &*work.edit.scene : nullptr;
  const bool undo = scene && !scene->undo.empty(), redo = scene && !scene->redo.empty();
  all.push_back({.name = "Edit splats",
                 .keys = "Ctrl+E",
                 .possible = work.received.splats && !work.received.live(),
                 .run = [this] { set_edit_mode(work, !work.edit.on); },
                 .menu = "Edit",
                 .ticked = work.edit.on,
                 .on_scene = true});
  all.push_back({.name = "Save the crop box", .possible = work.edit.crop.box().has_value(), .run = [this] {
                   work.edit.crop.ask_save(work);
                 }});
  const auto named = [&](const char* verb, size_t step, const std::string& name) {  // "Undo delete: 454 splats"
    const size_t at = step - scene->steps_before;
    return std::string(verb) + " " + (at < scene->steps.size() ? step_text(scene->steps[at]) : name);
  };
  all.push_back({.name = undo ? named("Undo", scene->steps_done - 1, scene->undo) : "Undo",
                 .keys = "Ctrl+Z",
                 .possible = undo,
                 .run = [this] { send_edit(work, {splat::edit::Undo{}}); },
                 .menu = "Edit",
                 .on_scene = true});
  all.push_back({.name = redo ? named("Redo", scene->steps_done, scene->redo) : "Redo",
                 .keys = "Ctrl+Shift+Z",
                 .possible = redo,
                 .run = [this] { send_edit(work, {splat::edit::Redo{}}); },
                 .menu = "Edit",
                 .on_scene = true});
}

// Edits of an earlier window that ended before they were saved.
void EditFeature::draw_dialogs() {
  std::optional<EditsFound>& found = found_;
  if (!begin_modal("Restore edits?", found.has_value())) return;
  if (!found) {
    ImGui::CloseCurrentPopup();
    return ImGui::EndPopup();
  }
  ImGui::TextWrapped("'%s' was edited and not saved: %s.", found->splats.filename().c_str(), found->what.c_str());
  ImGui::Spacing();
  const bool restore =
      main_button(work.appearance, "Restore", "Open the file with these edits (Enter)", 0) || work.dialogs.confirmed;
  ImGui::SameLine();
  const bool forget = button("Discard", "These edits are lost; the file stays as it is");
  ImGui::SameLine();
  const bool later = button("Ask again later", "At the next start (Escape)") || work.dialogs.escaped;
  if (restore) work.ask(RestoreEdits{found->splats});
  if (forget) work.ask(ForgetEdits{found->splats});
  if (restore || forget || later) {
    found.reset();
    work.dialogs.confirmed = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

void EditFeature::add_objects(nlohmann::json& state) const {
  const std::vector<SceneObject>& objects = work.edit.scene->objects;
  const auto count = [&](auto is) { return std::count_if(objects.begin(), objects.end(), is); };
  state["objects"] = {{"all", objects.size()},
                      {"shown", count([](const SceneObject& one) { return one.object.visible; })},
                      {"locked", count([](const SceneObject& one) { return one.object.locked; })}};
  if (const auto at = work.edit.objects.looked_at; at && *at < objects.size())
    state["object"] = {{"name", objects[*at].object.name}, {"scale", objects[*at].object.placed.scale}};
}

void EditFeature::add_state(nlohmann::json& state) const {
  if (work.edit.scene) {
    const EditedScene& scene = *work.edit.scene;
    state["edit"] = {{"on", work.edit.on},           {"tool", work.edit.tool().offer.label},
                     {"selected", scene.selected},   {"hidden", scene.hidden},
                     {"locked", scene.locked},       {"deleted", scene.deleted},
                     {"unsaved", scene.unsaved},     {"histogram", scene.histogram ? scene.histogram->all.size() : 0},
                     {"took_ms", scene.milliseconds}};
    add_objects(state);
  }
  for (const auto& tool : work.edit.tools) tool->add_state(work, state);
}

}  // namespace studio
