// The parts of the window around the scene. Each draws itself and writes what the user requests into the state that it
// is given; a panel that needs a part of the workspace only is given that part. One panel a file, of the same name.
#pragma once

#include "viewer/viewport.h"
#include "viewer/workspace.h"

namespace viewer {

void draw_menu_bar(Workspace& work);
void draw_welcome(Workspace& work);      // in the current window: what there is to open
void draw_scene_panel(Workspace& work);  // in the current window, like the next six
void draw_mesh_panel(Workspace& work);   // where there is one
void draw_photos_panel(Received& received, Look& look, const Appearance& appearance);
void draw_display_panel(Workspace& work);
void draw_camera_panel(Look& look, NavigationSettings& settings, const Appearance& appearance);
void draw_histogram_panel(Workspace& work);
void draw_city_panel(Workspace& work);  // a scene in blocks: how far each is, and its splats
void draw_training_panel(Workspace& work);
void draw_training_settings(Workspace& work);  // before the start
void draw_prediction(const Workspace& work);   // below them: what the run is expected to take
void draw_start_button(Workspace& work);       // below that
void draw_continue_button(Workspace& work);    // for a run that can go on: the button and its last iteration
void draw_run_panel(Workspace& work);          // from the start on
void draw_curves(const Workspace& work);       // of the run
void draw_run_notice(Workspace& work);         // over the scene, once it has ended
void draw_run_history(Workspace& work);        // a window of its own: all runs on a dataset
void draw_preferences(Workspace& work);        // likewise: what is seldom changed
void draw_log_panel(const Received& received, const Appearance& appearance);
void draw_status_bar(Workspace& work, const Viewport& viewport, double frame_ms);
void draw_popups(Workspace& work);            // errors, questions, the key sheet, file dialogs, and these
void draw_picture_dialog(Workspace& work);    // what is to be saved of the scene or the window
void draw_alignment_dialog(Workspace& work);  // photos without cameras: whether and how they are found
void draw_mesh_dialog(Workspace& work);       // what a mesh is to be made with
void draw_palette(Workspace& work);           // all actions by name
void draw_all_settings(Workspace& work);      // of a run, by name, with a search
void draw_export_dialog(Workspace& work);     // which format splats are saved in

struct ScenePlace;
void draw_city_numbers(const Workspace& work, const ScenePlace& scene);  // over the boxes of the blocks

// Requests that both menus and buttons make.
void ask_open_file(Workspace& work);
void ask_open_dataset(Workspace& work);
void ask_export(Workspace& work, std::optional<uint32_t> object = {});  // of the edited splats, alone
void ask_save_picture(Workspace& work);
void ask_make_mesh(Workspace& work);
void ask_run_history(Workspace& work);                                  // of the dataset that is open, or of the run's
void open_outside(Workspace& work, const std::filesystem::path& path);  // by the desktop's own program for it
void ask_save_mesh(Workspace& work);

}  // namespace viewer
