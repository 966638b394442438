// The command palette (Ctrl+Shift+P): every action by its name, with its keys.
#include <imgui/imgui.h>
// Needs the one above.
#include <imgui/misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "viewer/compare/compare_panel.h"
#include "viewer/edit/edit_panel.h"
#include "viewer/panels/panels.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

std::vector<Action> actions(Workspace& work) {
  WindowSettings& s = work.settings;
  Look& look = work.look;
  const RunStatus status = work.received.training.status;
  const bool active = work.received.training_active(), open = work.received.anything_open();
  const bool something = work.received.splats || work.received.live();
  const auto send = [&work](const Command& command) { return [&work, command] { work.app.commands.put(command); }; };
  std::vector<Action> all{
      {"Open splat file", "Ctrl+O", true, [&] { ask_open_file(work); }},
      {"Open dataset folder", "Ctrl+Shift+O", true, [&] { ask_open_dataset(work); }},
      {"Open the demo", "", !work.program.demo.empty(), [&] { work.open(work.program.demo); }},
      {"Save splats as", "Ctrl+S", something, [&] { ask_export(work); }},
      {"Edit splats", "Ctrl+E", work.received.splats && !work.received.live(),
       [&] { set_edit_mode(work, !work.edit.on); }},
      {"Compare photo and splats", "K", something && work.compare.view >= 0,
       [&] { set_compare_mode(work, !work.compare.on); }},
      {"Save picture", "Ctrl+P", something, [&] { ask_save_picture(work); }},
      {"Make a mesh", "", work.can_make_mesh(), [&] { ask_make_mesh(work); }},
      {"Save mesh as", "", work.received.mesh.has_value(), [&] { ask_save_mesh(work); }},
      {"Continue training", "Ctrl+T", work.received.continuation() != nullptr, [&] { work.continue_run(); }},
      {"Start training", "Ctrl+T", work.received.dataset && !active, [&] { work.start_anew(); }},
      {"All settings of training", "", work.received.dataset && !active, [&] { work.dialogs.show_settings = true; }},
      {"All runs of this dataset", "", work.received.has_photos(), [&] { ask_run_history(work); }},
      {"Copy the command line of the run", "", work.received.dataset.has_value(), send(WantCommandLine{work.choices})},
      {"Pause training", "Space", status == RunStatus::kRunning, send(PauseTraining{})},
      {"Go on training", "Space", status == RunStatus::kPaused, send(ResumeTraining{})},
      {"Stop training", "", active, send(StopTraining{})},
      {"Save checkpoint", "", work.received.live(), send(SaveCheckpoint{})},
      {"Frame the scene", "F", open, [&] { look.navigator.frame_scene(); }},
      {"Frame scene and photos", "Home", open, [&] { look.navigator.frame_all(); }},
      {"Start view", "H", open, [&] { look.navigator.go_home(); }},
      {"Level the view", "L", open, [&] { look.navigator.level(); }},
      {"Orthographic or perspective", "numpad 5", open, [&] { look.navigator.toggle_orthographic(); }},
      {"Show or hide left panel", "F2", true, [&] { s.left_open = !s.left_open; }},
      {"Show or hide right panel", "F3", true, [&] { s.right_open = !s.right_open; }},
      {"Show or hide log", "Ctrl+L", true, [&] { s.log_open = !s.log_open; }},
      {"Hide or show all panels", "Tab", true, [&] { work.hide_panels = !work.hide_panels; }},
      {"Reset layout", "", true, [&] { work.reset_layout = true; }},
      {"Full screen", "F11", true, [&] { work.toggle_full_screen = true; }},
      {"Grid", "", open, [&] { s.show_grid = !s.show_grid, look.changed = true; }},
      {"Photos' cameras", "", open, [&] { s.show_cameras = !s.show_cameras, look.changed = true; }},
      {"Dark theme", "", s.theme != ThemeChoice::kDark, [&] { s.theme = ThemeChoice::kDark; }},
      {"Light theme", "", s.theme != ThemeChoice::kLight, [&] { s.theme = ThemeChoice::kLight; }},
      {"Preferences", "Ctrl+,", true, [&] { work.dialogs.show_preferences = true; }},
      {"Keys and mouse", "F1", true, [&] { work.dialogs.show_keys = true; }},
      {"Quit", "Ctrl+Q", true, [&] { work.ask_to_close(); }},
  };
  for (Action& action : edit_actions(work)) all.push_back(std::move(action));
  return all;
}

// The action that was chosen; `first`: take the topmost.
std::function<void()> list(const std::vector<Action>& all, const std::string& typed, bool first) {
  std::function<void()> chosen;
  ImGui::BeginChild("actions", {0, 14 * ImGui::GetTextLineHeightWithSpacing()}, 0,
                    ImGuiWindowFlags_AlwaysVerticalScrollbar);
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  for (const Action& action : all) {
    if (!action.possible || !has_words(action.name, typed)) continue;
    if (ImGui::Selectable(action.name.c_str()) || (first && !chosen)) chosen = action.run;
    ImGui::SameLine(right - ImGui::CalcTextSize(action.keys.c_str()).x - ImGui::GetFontSize());
    ImGui::TextDisabled("%s", action.keys.c_str());
  }
  ImGui::EndChild();
  return chosen;
}

}  // namespace

void draw_palette(Workspace& work) {
  if (!begin_modal("What to do", work.dialogs.show_palette, 28)) return;
  if (ImGui::IsWindowAppearing()) {
    work.dialogs.palette_text.clear();
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-1);
  const bool entered = ImGui::InputTextWithHint("##typed", "type a part of its name", &work.dialogs.palette_text,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  const std::function<void()> chosen = list(actions(work), work.dialogs.palette_text, entered);
  if (chosen || work.dialogs.escaped) {
    work.dialogs.show_palette = false;
    ImGui::SetNavCursorVisible(false);  // Enter in a dialog that follows is its main button's
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  if (chosen) chosen();
}

}  // namespace viewer
