#include "studio/window/window_actions.h"

#include "studio/window/panels.h"

namespace studio {
namespace {

using Actions = std::vector<Action>;

void toggle(bool& value) { value = !value; }

void add_of_features(Workspace& work, const std::string& menu, Actions& all) {
  work.all([&](Feature& feature) { feature.add_actions(menu, all); });
}

void ask_web_page(Workspace& work) {
  if (!work.received.devices) return;
  const std::vector<FormatRow>& formats = work.received.devices->formats;
  for (size_t i = 0; i < formats.size(); ++i)
    if (formats[i].extension == ".html") work.dialogs.export_format = int(i);
  work.ask_export();
}

void add_file_actions(Workspace& work, Actions& all) {
  const bool splats = work.received.splats && !work.received.live();
  const bool something = work.received.splats || work.received.live();
  all.push_back({.name = "Open", .keys = "Ctrl+O", .run = [&] { ask_open(work); }, .menu = "File", .label = "Open..."});
  all.push_back({.name = "Add a splat file as an object",
                 .possible = splats,
                 .run = [&] { ask_add_file(work); },
                 .menu = "File",
                 .label = "Add splat file..."});
  all.push_back({.name = "Open folder",
                 .keys = "Ctrl+Shift+O",
                 .run = [&] { ask_open_folder(work); },
                 .menu = "File",
                 .label = "Open folder..."});
  all.push_back({.name = "Open the demo",
                 .possible = !work.program.demo.empty(),
                 .run = [&] { work.open(work.program.demo); },
                 .menu = "File"});
  all.push_back({.name = "Save splats as",
                 .keys = "Ctrl+S",
                 .possible = something,
                 .run = [&] { work.ask_export(); },
                 .menu = "File",
                 .label = "Save splats as...",
                 .rule = true});
  all.push_back({.name = "Share as a web page",
                 .possible = something,
                 .run = [&] { ask_web_page(work); },
                 .menu = "File",
                 .label = "Share as web page..."});
  all.push_back({.name = "Save picture",
                 .keys = "Ctrl+P",
                 .possible = something,
                 .run = [&] { ask_save_picture(work); },
                 .menu = "File",
                 .label = "Save picture...",
                 .on_scene = true});
  all.push_back({.name = "Copy picture",
                 .keys = "Ctrl+Shift+C",
                 .possible = something,
                 .run = [&] { copy_picture(work); },
                 .menu = "File",
                 .on_scene = true});
  add_of_features(work, "File", all);
  all.push_back({.name = "Quit", .keys = "Ctrl+Q", .run = [&] { work.ask_to_close(); }, .menu = "File", .rule = true});
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
                 .rule = true,
                 .on_scene = true});
  all.push_back({.name = "Frame scene and photos",
                 .keys = "Home",
                 .possible = open,
                 .run = [&] { navigator.frame_all(); },
                 .menu = "View",
                 .on_scene = true});
  all.push_back({.name = "Start view",
                 .keys = "H",
                 .possible = open,
                 .run = [&] { navigator.go_home(); },
                 .menu = "View",
                 .on_scene = true});
  all.push_back(
      {.name = "Level the view", .keys = "L", .possible = open, .run = [&] { navigator.level(); }, .on_scene = true});
  all.push_back({.name = "Orthographic or perspective", .keys = "numpad 5", .possible = open, .run = [&] {
                   navigator.toggle_orthographic();
                 }});
  add_of_features(work, "View", all);
  all.push_back({.name = "Grid",
                 .possible = open,
                 .run = [&] { toggle(s.show_grid), work.look.changed = true; },
                 .menu = "View",
                 .ticked = s.show_grid,
                 .on_scene = true});
  all.push_back({.name = "Photos' cameras",
                 .possible = open,
                 .run = [&] { toggle(s.show_cameras), work.look.changed = true; },
                 .menu = "View",
                 .ticked = s.show_cameras,
                 .on_scene = true});
  all.push_back({.name = "Photos in their cameras",
                 .possible = open && s.show_cameras && work.received.has_photos(),
                 .run = [&] { toggle(s.camera_photos); },
                 .menu = "View",
                 .ticked = s.camera_photos,
                 .on_scene = true});
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
  add_of_features(work, "Edit", all);
  add_panel_actions(work, all);
  add_view_actions(work, all);
  add_of_features(work, "Training", all);
  add_help_actions(work, all);
  return all;
}

std::vector<Action> all_actions(Workspace& work) {
  Actions all = window_actions(work);
  add_of_features(work, "", all);
  return all;
}

std::optional<Action> feature_action(Workspace& work, const std::string& menu, std::string_view name) {
  Actions of_menu;
  add_of_features(work, menu, of_menu);
  for (Action& action : of_menu)
    if (action.name == name) return std::move(action);
  return std::nullopt;
}

bool run_action_with(Workspace& work, std::string_view keys) {
  if (keys.empty()) return false;
  Actions all;  // what stands in place of the scene comes first
  work.all([&](Feature& feature) {
    if (feature.covers_scene()) feature.add_actions("", all);
  });
  for (Action& action : all_actions(work)) all.push_back(std::move(action));
  for (const Action& action : all)
    if (action.possible && action.keys == keys) {
      action.run();
      return true;
    }
  return false;
}

}  // namespace studio
