#include <string_view>

#include "studio/window/panels.h"
#include "studio/window/window_actions.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

void recent_menu(Workspace& work) {
  if (!ImGui::BeginMenu("Open recent", !work.settings.recent.empty())) return;
  const std::vector<std::string> recent = work.settings.recent;
  for (const std::string& path : recent)
    if (ImGui::MenuItem(path.c_str())) work.open(path);
  ImGui::Separator();
  if (ImGui::MenuItem("Clear this list")) work.settings.recent.clear();
  ImGui::EndMenu();
}

// The rows of the table that name this menu; `after`: something of the menu's own, below the row of that name.
void menu(Workspace& work, const std::vector<Action>& all, const char* name, bool possible = true,
          const char* after = "", void (*own)(Workspace& work) = nullptr) {
  if (!ImGui::BeginMenu(name, possible)) return;
  const std::string_view wanted = name;
  for (const Action& action : all) {
    if (!action.menu || action.menu != wanted) continue;
    if (action.rule) ImGui::Separator();
    const std::string& label = action.label.empty() ? action.name : action.label;
    if (ImGui::MenuItem(label.c_str(), action.keys.c_str(), action.ticked.value_or(false), action.possible))
      action.run();
    if (own && action.name == after) own(work);
  }
  ImGui::EndMenu();
}

}  // namespace

void ask_open(Workspace& work) {
  work.ask_file(FileDialog::Kind::kOpenAny, "Open splats, photos, a video, a dataset or a run", "",
                [&](const auto& path) { work.open(path); },
                {"Splats, datasets, meshes",
                 work.received.devices ? work.received.devices->endings : std::vector<std::string>()});
}

void ask_open_folder(Workspace& work) {
  work.ask_file(FileDialog::Kind::kOpenFolder, "Open a folder of photos, a dataset or a run", "",
                [&](const auto& path) { work.open(path); });
}

void ask_add_file(Workspace& work) {
  work.ask_file(FileDialog::Kind::kOpenFile, "Add a splat file", "", [&work](const auto& path) { work.add(path); },
                {"Splats", work.received.devices ? work.received.devices->splat_endings : std::vector<std::string>()});
}

void draw_menu_bar(Workspace& work) {
  if (!ImGui::BeginMainMenuBar()) return;
  const Received& received = work.received;
  const std::vector<Action> all = window_actions(work);
  menu(work, all, "File", true, "Open the demo", recent_menu);
  menu(work, all, "Edit", received.splats && !received.live());
  menu(work, all, "View");
  menu(work, all, "Training");
  menu(work, all, "Help");
  ImGui::EndMainMenuBar();
}

}  // namespace studio
