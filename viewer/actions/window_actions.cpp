#include "viewer/actions/window_actions.h"

#include "viewer/compare/compare_panel.h"
#include "viewer/edit/edit_panel.h"
#include "viewer/edit/object_list.h"
#include "viewer/panels/panels.h"

namespace viewer {
namespace {

using Actions = std::vector<Action>;

void toggle(bool& value) { value = !value; }

void add_file_actions(Workspace& work, Actions& all) {
  const bool splats = work.received.splats && !work.received.live();
  const bool something = work.received.splats || work.received.live();
  all.push_back({.name = "Open splat file",
                 .keys = "Ctrl+O",
                 .run = [&] { ask_open_file(work); },
                 .menu = "File",
                 .label = "Open splat file..."});
  all.push_back({.name = "Add a splat file as an object",
                 .possible = splats,
                 .run = [&] { ask_add_file(work); },
                 .menu = "File",
                 .label = "Add splat file..."});
  all.push_back({.name = "Open dataset folder",
                 .keys = "Ctrl+Shift+O",
                 .run = [&] { ask_open_dataset(work); },
                 .menu = "File",
                 .label = "Open dataset folder..."});
  all.push_back({.name = "Open the demo",
                 .possible = !work.program.demo.empty(),
                 .run = [&] { work.open(work.program.demo); },
                 .menu = "File"});
  all.push_back({.name = "Save splats as",
                 .keys = "Ctrl+S",
                 .possible = something,
                 .run = [&] { ask_export(work); },
                 .menu = "File",
                 .label = "Save splats as...",
                 .rule = true});
  all.push_back({.name = "Save picture",
                 .keys = "Ctrl+P",
                 .possible = something,
                 .run = [&] { ask_save_picture(work); },
                 .menu = "File",
                 .label = "Save picture..."});
  all.push_back({.name = "Make a mesh",
                 .possible = work.can_make_mesh(),
                 .run = [&] { ask_make_mesh(work); },
                 .menu = "File",
                 .label = "Make a mesh...",
                 .rule = true});
  all.push_back({.name = "Save mesh as",
                 .possible = work.received.mesh.has_value(),
                 .run = [&] { ask_save_mesh(work); },
                 .menu = "File",
                 .label = "Save mesh as..."});
  all.push_back({.name = "Quit", .keys = "Ctrl+Q", .run = [&] { work.ask_to_close(); }, .menu = "File", .rule = true});
}

void add_edit_actions(Workspace& work, Actions& all) {
  const EditedScene* scene = work.edit.scene ? &*work.edit.scene : nullptr;
  const bool undo = scene && !scene->undo.empty(), redo = scene && !scene->redo.empty();
  all.push_back({.name = "Edit splats",
                 .keys = "Ctrl+E",
                 .possible = work.received.splats && !work.received.live(),
                 .run = [&] { set_edit_mode(work, !work.edit.on); },
                 .menu = "Edit",
                 .ticked = work.edit.on});
  all.push_back({.name = undo ? "Undo " + scene->undo : "Undo",
                 .keys = "Ctrl+Z",
                 .possible = undo,
                 .run = [&] { send_edit(work, {splat::edit::Undo{}}); },
                 .menu = "Edit"});
  all.push_back({.name = redo ? "Redo " + scene->redo : "Redo",
                 .keys = "Ctrl+Shift+Z",
                 .possible = redo,
                 .run = [&] { send_edit(work, {splat::edit::Redo{}}); },
                 .menu = "Edit"});
}

void add_panel_actions(Workspace& work, Actions& all) {
  WindowSettings& s = work.settings;
  const auto add = [&](const char* name, const char* keys, const char* label, bool& value) {
    all.push_back({.name = name,
                   .keys = keys,
                   .run = [&value] { toggle(value); },
                   .menu = "View",
                   .label = label,
                   .ticked = value});
  };
  add("Show or hide left panel", "F2", "Left panel", s.left_open);
  add("Show or hide right panel", "F3", "Right panel", s.right_open);
  add("Show or hide log", "Ctrl+L", "Log", s.log_open);
  add("Hide or show all panels", "Tab", "Hide all panels", work.hide_panels);
  all.push_back({.name = "Reset layout", .run = [&] { work.reset_layout = true; }, .menu = "View"});
  all.push_back({.name = "Full screen", .keys = "F11", .run = [&] { work.toggle_full_screen = true; }, .menu = "View"});
}

void add_view_actions(Workspace& work, Actions& all) {
  WindowSettings& s = work.settings;
  Navigator& navigator = work.look.navigator;
  const bool open = work.received.anything_open();
  all.push_back({.name = "Frame the scene",
                 .keys = "F",
                 .possible = open,
                 .run = [&] { navigator.frame_scene(); },
                 .menu = "View",
                 .rule = true});
  all.push_back({.name = "Frame scene and photos",
                 .keys = "Home",
                 .possible = open,
                 .run = [&] { navigator.frame_all(); },
                 .menu = "View"});
  all.push_back(
      {.name = "Start view", .keys = "H", .possible = open, .run = [&] { navigator.go_home(); }, .menu = "View"});
  all.push_back({.name = "Level the view", .keys = "L", .possible = open, .run = [&] { navigator.level(); }});
  all.push_back({.name = "Orthographic or perspective", .keys = "numpad 5", .possible = open, .run = [&] {
                   navigator.toggle_orthographic();
                 }});
  all.push_back({.name = "Compare photo and splats",
                 .keys = "K",
                 .possible = (work.received.splats || work.received.live()) && work.compare.view >= 0,
                 .run = [&] { set_compare_mode(work, !work.compare.on); },
                 .menu = "View",
                 .ticked = work.compare.on,
                 .rule = true});
  all.push_back({.name = "Grid",
                 .possible = open,
                 .run = [&] { toggle(s.show_grid), work.look.changed = true; },
                 .menu = "View",
                 .ticked = s.show_grid});
  all.push_back({.name = "Photos' cameras",
                 .possible = open,
                 .run = [&] { toggle(s.show_cameras), work.look.changed = true; },
                 .menu = "View",
                 .ticked = s.show_cameras});
  all.push_back(
      {.name = "Dark theme", .possible = s.theme != ThemeChoice::kDark, .run = [&] { s.theme = ThemeChoice::kDark; }});
  all.push_back({.name = "Light theme", .possible = s.theme != ThemeChoice::kLight, .run = [&] {
                   s.theme = ThemeChoice::kLight;
                 }});
  all.push_back({.name = "Preferences",
                 .keys = "Ctrl+,",
                 .run = [&] { toggle(work.dialogs.show_preferences); },
                 .menu = "View",
                 .label = "Preferences...",
                 .rule = true});
}

void add_training_actions(Workspace& work, Actions& all) {
  const RunStatus status = work.received.training.status;
  const bool active = work.received.training_active(), startable = work.received.dataset && !active;
  const bool continuable = work.received.continuation() != nullptr;
  const auto send = [&work](auto request) { return [&work, request] { work.ask(request); }; };
  const char* const menu = "Training";
  all.push_back({.name = "Continue training",
                 .keys = "Ctrl+T",
                 .possible = continuable,
                 .run = [&] { work.continue_run(); },
                 .menu = continuable ? menu : nullptr,
                 .label = "Continue"});
  all.push_back({.name = continuable ? "Start training anew" : "Start training",
                 .keys = continuable ? "" : "Ctrl+T",
                 .possible = startable,
                 .run = [&] { work.start_anew(); },
                 .menu = menu,
                 .label = continuable ? "Start anew" : "Start"});
  all.push_back({.name = "All settings of training",
                 .possible = startable,
                 .run = [&] { work.dialogs.show_settings = true; },
                 .menu = menu,
                 .label = "All settings..."});
  all.push_back({.name = "All runs of this dataset",
                 .possible = work.received.has_photos(),
                 .run = [&] { ask_run_history(work); },
                 .menu = menu,
                 .label = "All runs of this dataset..."});
  all.push_back({.name = "Copy the command line of the run",
                 .possible = work.received.dataset.has_value(),
                 .run = send(WantCommandLine{work.choices}),
                 .menu = menu,
                 .label = "Copy command line"});
  all.push_back({.name = "Pause training",
                 .keys = "Space",
                 .possible = status == RunStatus::kRunning,
                 .run = send(PauseTraining{}),
                 .menu = menu,
                 .label = "Pause"});
  all.push_back({.name = "Go on training",
                 .keys = "Space",
                 .possible = status == RunStatus::kPaused,
                 .run = send(ResumeTraining{}),
                 .menu = menu,
                 .label = "Go on"});
  all.push_back(
      {.name = "Stop training", .possible = active, .run = send(StopTraining{}), .menu = menu, .label = "Stop"});
  all.push_back(
      {.name = "Save checkpoint", .possible = work.received.live(), .run = send(SaveCheckpoint{}), .menu = menu});
}

void add_help_actions(Workspace& work, Actions& all) {
  all.push_back(
      {.name = "Keys and mouse", .keys = "F1", .run = [&] { toggle(work.dialogs.show_keys); }, .menu = "Help"});
  all.push_back({.name = "All actions",
                 .keys = "Ctrl+Shift+P",
                 .run = [&] { work.dialogs.show_palette = true; },
                 .menu = "Help"});
  all.push_back({.name = "About hipsplat", .run = [&] { work.dialogs.show_about = true; }, .menu = "Help"});
}

}  // namespace

std::vector<Action> window_actions(Workspace& work) {
  Actions all;
  add_file_actions(work, all);
  add_edit_actions(work, all);
  add_panel_actions(work, all);
  add_view_actions(work, all);
  add_training_actions(work, all);
  add_help_actions(work, all);
  return all;
}

bool run_action_with(Workspace& work, std::string_view keys) {
  if (keys.empty()) return false;
  for (const Action& action : window_actions(work))
    if (action.possible && action.keys == keys) {
      action.run();
      return true;
    }
  return false;
}

}  // namespace viewer
