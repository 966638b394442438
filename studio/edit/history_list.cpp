// The steps of editing as a list: a click goes back, or forth, to what the scene was after that one.
#include <imgui/imgui.h>

#include <string>

#include "splat/core/counted.h"
#include "studio/edit/edit_panel.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr float kLines = 8;

void step_row(Workspace& work, const std::string& text, size_t steps) {
  const EditedScene& scene = *work.edit.scene;
  const bool here = steps == scene.steps_done, undone = steps > scene.steps_done;
  ImGui::PushID(int(steps));
  if (undone) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  if (ImGui::Selectable(text.c_str(), here) && !here) send_edit(work, {splat::edit::GoToStep{steps}});
  if (undone) ImGui::PopStyleColor();
  note_place(("step " + std::to_string(steps)).c_str());
  tooltip(here ? "The scene is as it was after this" : "Go to what the scene was after this");
  if (here && work.edit.history_shown != work.edit.scenes) ImGui::SetScrollHereY();
  ImGui::PopID();
}

}  // namespace

std::string step_text(const EditStepDone& step) {
  return step.name + (step.rows > 0 ? ": " + count_text(step.rows) + " " + splat::noun(step.rows, "splat") : "");
}

void draw_history(Workspace& work) {
  if (!section("History", false) || !work.edit.scene) return;
  const EditedScene& scene = *work.edit.scene;
  ImGui::BeginChild("steps", {0, kLines * ImGui::GetTextLineHeightWithSpacing()});
  step_row(work,
           scene.steps_before == 0
               ? "As it was opened"
               : count_text(scene.steps_before) + " " + splat::noun(scene.steps_before, "step") + " before",
           scene.steps_before);
  for (size_t i = 0; i < scene.steps.size(); ++i)
    step_row(work, as_sentence(step_text(scene.steps[i])), scene.steps_before + i + 1);
  work.edit.history_shown = work.edit.scenes;
  ImGui::EndChild();
}

}  // namespace studio
