#include "viewer/compare/compare_panel.h"
#include "viewer/edit/edit_panel.h"
#include "viewer/edit/object_list.h"
#include "viewer/panels/panels.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
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

void file_menu(Workspace& work) {
  if (!ImGui::BeginMenu("File")) return;
  if (ImGui::MenuItem("Open splat file...", "Ctrl+O")) ask_open_file(work);
  if (ImGui::MenuItem("Add splat file...", nullptr, false, work.received.splats && !work.received.live()))
    ask_add_file(work);
  if (ImGui::MenuItem("Open dataset folder...", "Ctrl+Shift+O")) ask_open_dataset(work);
  if (ImGui::MenuItem("Open the demo", nullptr, false, !work.program.demo.empty())) work.open(work.program.demo);
  recent_menu(work);
  ImGui::Separator();
  if (ImGui::MenuItem("Save splats as...", "Ctrl+S", false, work.received.splats || work.received.live()))
    ask_export(work);
  if (ImGui::MenuItem("Save picture...", "Ctrl+P", false, work.received.splats || work.received.live()))
    ask_save_picture(work);
  ImGui::Separator();
  if (ImGui::MenuItem("Make a mesh...", nullptr, false, work.can_make_mesh())) ask_make_mesh(work);
  if (ImGui::MenuItem("Save mesh as...", nullptr, false, work.received.mesh.has_value())) ask_save_mesh(work);
  ImGui::Separator();
  if (ImGui::MenuItem("Quit", "Ctrl+Q")) work.ask_to_close();
  ImGui::EndMenu();
}

void view_menu(Workspace& work) {
  if (!ImGui::BeginMenu("View")) return;
  WindowSettings& s = work.settings;
  ImGui::MenuItem("Left panel", "F2", &s.left_open);
  ImGui::MenuItem("Right panel", "F3", &s.right_open);
  ImGui::MenuItem("Log", "Ctrl+L", &s.log_open);
  ImGui::MenuItem("Hide all panels", "Tab", &work.hide_panels);
  if (ImGui::MenuItem("Reset layout")) work.reset_layout = true;
  if (ImGui::MenuItem("Full screen", "F11")) work.toggle_full_screen = true;
  ImGui::Separator();
  if (ImGui::MenuItem("Frame the scene", "F")) work.look.navigator.frame_scene();
  if (ImGui::MenuItem("Frame scene and photos", "Home")) work.look.navigator.frame_all();
  if (ImGui::MenuItem("Start view", "H")) work.look.navigator.go_home();
  ImGui::Separator();
  if (ImGui::MenuItem("Compare photo and splats", "K", work.compare.on,
                      work.compare.view >= 0 && (work.received.splats || work.received.live())))
    set_compare_mode(work, !work.compare.on);
  if (ImGui::MenuItem("Grid", nullptr, &s.show_grid)) work.look.changed = true;
  if (ImGui::MenuItem("Photos' cameras", nullptr, &s.show_cameras)) work.look.changed = true;
  ImGui::Separator();
  if (ImGui::MenuItem("Preferences...", "Ctrl+,")) work.dialogs.show_preferences = true;
  ImGui::EndMenu();
}

void edit_menu(Workspace& work) {
  const bool possible = work.received.splats && !work.received.live();
  if (!ImGui::BeginMenu("Edit", possible)) return;
  if (ImGui::MenuItem("Edit splats", "Ctrl+E", work.edit.on)) set_edit_mode(work, !work.edit.on);
  const EditedScene* scene = work.edit.scene ? &*work.edit.scene : nullptr;
  const bool undo = scene && !scene->undo.empty(), redo = scene && !scene->redo.empty();
  if (ImGui::MenuItem(undo ? ("Undo " + scene->undo).c_str() : "Undo", "Ctrl+Z", false, undo))
    edit_step(work, EditStep::kUndo);
  if (ImGui::MenuItem(redo ? ("Redo " + scene->redo).c_str() : "Redo", "Ctrl+Shift+Z", false, redo))
    edit_step(work, EditStep::kRedo);
  ImGui::EndMenu();
}

void training_menu(Workspace& work) {
  const Continuation* run = work.received.continuation();
  if (!ImGui::BeginMenu("Training", work.received.dataset || run)) return;
  const RunStatus status = work.received.training.status;
  if (run && ImGui::MenuItem("Continue", "Ctrl+T")) work.continue_run();
  if (ImGui::MenuItem(run ? "Start anew" : "Start", run ? nullptr : "Ctrl+T", false,
                      work.received.dataset && !work.received.training_active()))
    work.start_anew();
  const bool settings = work.received.dataset && !work.received.training_active();
  if (ImGui::MenuItem("All settings...", nullptr, false, settings)) work.dialogs.show_settings = true;
  if (ImGui::MenuItem("All runs of this dataset...", nullptr, false, work.received.has_photos())) ask_run_history(work);
  if (ImGui::MenuItem("Copy command line", nullptr, false, work.received.dataset.has_value()))
    work.app.commands.put(WantCommandLine{work.choices});
  if (ImGui::MenuItem("Pause", "Space", false, status == RunStatus::kRunning)) work.app.commands.put(PauseTraining{});
  if (ImGui::MenuItem("Go on", "Space", false, status == RunStatus::kPaused)) work.app.commands.put(ResumeTraining{});
  if (ImGui::MenuItem("Stop", nullptr, false, work.received.training_active())) work.app.commands.put(StopTraining{});
  if (ImGui::MenuItem("Save checkpoint", nullptr, false, work.received.live())) work.app.commands.put(SaveCheckpoint{});
  ImGui::EndMenu();
}

void help_menu(Workspace& work) {
  if (!ImGui::BeginMenu("Help")) return;
  if (ImGui::MenuItem("Keys and mouse", "F1")) work.dialogs.show_keys = true;
  if (ImGui::MenuItem("All actions", "Ctrl+Shift+P")) work.dialogs.show_palette = true;
  if (ImGui::MenuItem("About hipsplat")) work.dialogs.show_about = true;
  ImGui::EndMenu();
}

}  // namespace

void ask_open_file(Workspace& work) {
  work.ask_file(FileDialog::Kind::kOpenFile, "Open a splat file", "", [&](const auto& path) { work.open(path); });
}

void ask_open_dataset(Workspace& work) {
  work.ask_file(FileDialog::Kind::kOpenFolder, "Open a dataset (COLMAP or transforms.json folder)", "",
                [&](const auto& path) { work.open(path); });
}

void draw_menu_bar(Workspace& work) {
  if (!ImGui::BeginMainMenuBar()) return;
  file_menu(work);
  edit_menu(work);
  view_menu(work);
  training_menu(work);
  help_menu(work);
  ImGui::EndMainMenuBar();
}

}  // namespace viewer
