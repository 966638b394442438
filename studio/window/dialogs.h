// The dialogs and questions of the window: which are open, and what was entered in them so far.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "splat/model/gaussians.h"
#include "studio/documents/messages.h"
#include "studio/window/clicked.h"
#include "studio/window/file_question.h"
#include "viewer/dialogs/file_dialog.h"

namespace studio {

// What "Save picture" saves; sizes in px.
struct PictureChoice {
  int width = 0, height = 0;          // of the scene's picture
  bool transparent = false;           // where no splats are
  bool tied = true;                   // to the shape of the scene in the window
  bool whole_window = false;          // with its panels, as large as it is on the screen
  bool asking = false;                // the dialog is open
  std::filesystem::path window_file;  // where the whole window is saved, once no dialog covers it
};

struct Dialogs {
  FileDialog file;
  std::function<void(const std::filesystem::path&)> file_answer;  // called with the file that was chosen
  EndedFileDialogs ended;
  std::set<std::filesystem::path> refused;  // FilePlaces::refused
  PictureChoice picture;
  bool show_export = false;
  bool export_wanted = false;             // with the next frame, when no other dialog is in its way
  std::optional<uint32_t> export_object;  // that alone; none: all splats
  int export_format = 0, export_degree = splat::kMaxShDegree;  // index into Abilities::formats; SH degree
  std::optional<PredictSizes> sizes_asked;                     // for the table of formats
  std::optional<PredictedSizes> sizes;                         // as they were reported last
  std::optional<Clicked> clicked;                              // by a right click: the menu is of that
  bool clicked_now = false;                                    // since the last frame
  bool show_keys = false, show_about = false;
  bool show_palette = false;
  std::string palette_text;  // typed in the palette
  bool show_preferences = false;
  float interface_scale = 1;                                 // while its slider is dragged
  bool show_open_question = false;                           // whether to end the run and open another scene
  std::filesystem::path opening_after_question;              // that scene
  std::vector<std::filesystem::path> adding_after_question;  // and files that join it
  // Whether to lose edits that are not saved, to open that scene; or to close the window, where it is empty.
  bool show_edits_question = false;
  bool show_close_question = false;               // whether to end the run and close the window
  bool show_work_question = false;                // whether to end what is found or made, and close the window
  std::vector<std::function<void()>> after_work;  // what would end work that goes on, until the user has answered
  bool closing = false, may_close = false;        // Quit was sent; it was answered
  std::filesystem::path edited_result;            // of a run, that is opened to be edited; empty: none
  float work_box_top = 0;                         // px: of the box of work in progress; 0: there is none
  bool confirmed = false;                         // Enter was pressed: the first button of the open question
  bool escaped = false;                           // Escape was pressed: leave it
};

}  // namespace studio
