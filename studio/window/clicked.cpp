#include "studio/window/clicked.h"

#include <imgui/imgui.h>

#include <utility>
#include <vector>

#include "studio/window/window_actions.h"
#include "studio/window/workspace.h"
#include "viewer/dialogs/desktop_open.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

void open_folder(Workspace& work, const std::filesystem::path& path) {
  std::error_code code;
  const std::filesystem::path folder = std::filesystem::is_directory(path, code) ? path : path.parent_path();
  if (!open_with_desktop(folder)) work.say("xdg-open is not installed; open '" + folder.string() + "' by hand");
}

void add_photo_actions(Workspace& work, const Clicked& on, std::vector<Action>& all) {
  all.push_back({.name = "Look from this photo",
                 .run = [&work, view = on.number] { work.look.navigator.go_to_photo(view); },
                 .menu = "Photo"});
  const bool used = !work.left_out.contains(on.number);
  const bool held_out = work.received.cameras()[size_t(on.number)].held_out;
  all.push_back({.name = "Train on this photo",
                 .possible = !held_out && !work.received.training_active(),
                 .run = [&work, view = on.number,
                         used] { used ? (void)work.left_out.insert(view) : (void)work.left_out.erase(view); },
                 .menu = "Photo",
                 .ticked = used && !held_out});
  all.push_back({.name = "Copy its name", .run = [&work, name = on.name] { work.clipboard = name; }, .menu = "Photo"});
}

void add_path_actions(Workspace& work, const Clicked& on, const char* menu, std::vector<Action>& all) {
  all.push_back({.name = "Open", .run = [&work, path = on.path] { work.open(path); }, .menu = menu});
  all.push_back({.name = "Open its folder", .run = [&work, path = on.path] { open_folder(work, path); }, .menu = menu});
  all.push_back({.name = "Copy its path", .run = [&work, path = on.path] { work.clipboard = path; }, .menu = menu});
  if (on.thing == Thing::kRecent)
    all.push_back({.name = "Remove from this list",
                   .run = [&work, path = on.path] { std::erase(work.settings.recent, path); },
                   .menu = menu,
                   .rule = true});
}

std::vector<Action> actions_of(Workspace& work, const Clicked& on) {
  std::vector<Action> all;
  if (on.thing == Thing::kScene) {
    all = all_actions(work);
    std::erase_if(all, [](const Action& action) { return !action.on_scene || !action.possible; });
    return all;
  }
  if (on.thing == Thing::kPhoto) add_photo_actions(work, on, all);
  if (on.thing == Thing::kRecent || on.thing == Thing::kRun) add_path_actions(work, on, menu_of(on.thing), all);
  work.all([&](Feature& feature) { feature.add_actions(menu_of(on.thing), all); });
  return all;
}

// Photos change their numbers while cameras are being found.
bool still_there(const Workspace& work, const Clicked& on) {
  const std::vector<PhotoCamera>& cameras = work.received.cameras();
  return on.thing != Thing::kPhoto ||
         (size_t(on.number) < cameras.size() && cameras[size_t(on.number)].name == on.name);
}

}  // namespace

const char* menu_of(Thing thing) {
  constexpr const char* kNames[] = {"Scene", "Photo", "Object", "Recent", "Run"};
  return kNames[size_t(thing)];
}

void ask_menu(Workspace& work, Clicked on) {
  work.dialogs.clicked = std::move(on);
  work.dialogs.clicked_now = true;
}

void menu_of_item(Workspace& work, Clicked on) {
  const bool by_key = ImGui::IsItemFocused() && ImGui::IsKeyChordPressed(ImGuiMod_Shift | ImGuiKey_F10);
  if (ImGui::IsItemClicked(ImGuiMouseButton_Right) || by_key) ask_menu(work, std::move(on));
}

Clicked photo_clicked(const Workspace& work, int view) {
  return {Thing::kPhoto, view, work.received.cameras()[size_t(view)].name};
}

void draw_clicked_menu(Workspace& work) {
  constexpr const char* kId = "##clicked";
  if (std::exchange(work.dialogs.clicked_now, false)) ImGui::OpenPopup(kId);
  if (!work.dialogs.clicked || !ImGui::BeginPopup(kId)) return;
  const Clicked on = *work.dialogs.clicked;
  if (work.dialogs.escaped || !still_there(work, on)) ImGui::CloseCurrentPopup();
  std::function<void()> chosen;
  if (still_there(work, on)) {
    if (!on.name.empty()) ImGui::TextDisabled("%s", on.name.c_str());
    for (const Action& action : actions_of(work, on)) {
      if (action.rule) ImGui::Separator();
      const std::string& label = action.label.empty() ? action.name : action.label;
      if (ImGui::MenuItem(label.c_str(), action.keys.c_str(), action.ticked.value_or(false), action.possible))
        chosen = action.run;
      note_place(("menu " + label).c_str());
    }
  }
  ImGui::EndPopup();
  if (chosen) chosen();
}

}  // namespace studio
