// The parts of the window around the scene. Each draws itself and writes what the user requests into the state that it
// is given; a panel that needs a part of the workspace only is given that part. One panel a file, of the same name.
#pragma once

#include "studio/window/viewport.h"
#include "studio/window/workspace.h"

namespace studio {

void draw_menu_bar(Workspace& work);
void draw_welcome(Workspace& work);      // in the current window: what there is to open
void draw_scene_panel(Workspace& work);  // in the current window, like those that follow
void draw_photos_panel(Workspace& work);
void draw_display_panel(Workspace& work);
void draw_camera_panel(Workspace& work);
void draw_bookmarks(Workspace& work);
void draw_histogram_panel(Workspace& work);
void draw_preferences(Workspace& work);  // a window of its own: what is seldom changed
void draw_log_panel(const Received& received, const Appearance& appearance);
void draw_status_bar(Workspace& work, const Viewport& viewport, double frame_ms);
void draw_popups(Workspace& work);          // errors, questions, the key sheet, file dialogs, and these
void draw_error(Workspace& work);           // the oldest one that was not read yet
void draw_said(Workspace& work);            // what was done, over the scene for a moment
void forget_old_message(Workspace& work);   // of the status bar; it stays in the log
float notices_end(const Workspace& work);   // px: their lower edge over the scene, above progress and strips
void draw_picture_dialog(Workspace& work);  // what is to be saved of the scene or the window
void draw_palette(Workspace& work);         // all actions by name
void draw_export_dialog(Workspace& work);   // which format splats are saved in

// Requests that both menus and buttons make.
void ask_open(Workspace& work);
void ask_open_folder(Workspace& work);
void ask_add_file(Workspace& work);
void ask_save_picture(Workspace& work);
void copy_picture(Workspace& work);  // of the scene as it is seen, to the clipboard
void take_picture_to_copy(Workspace& work, const PictureToCopy& made);

}  // namespace studio
