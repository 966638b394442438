// The window's own file dialog: a folder as a table with sizes and dates, places beside it, a filter by kind, new
// folders. Typing filters the table or names a new file, a slash enters the folder before it, Tab completes, the arrows
// go through the rows, Backspace in an empty field goes up, Escape leaves. Folders are read on other threads.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "viewer/dialogs/desktop_portal.h"
#include "viewer/dialogs/folder_list.h"
#include "viewer/dialogs/folder_reader.h"

struct ImGuiInputTextCallbackData;

namespace viewer {

struct FileQuestion {
  FileDialogKind kind = FileDialogKind::kOpenFile;
  std::string title;
  std::filesystem::path folder;                 // where it starts; one that is not there: the working folder
  std::string suggested{};                      // the name a new file starts with
  FileKinds kinds{};                            // shown at first
  std::filesystem::path open{};                 // the folder of what is open; empty: none
  std::vector<std::filesystem::path> recent{};  // folders of what was open lately
};

class FileBrowser {
 public:
  void set_waker(std::function<void()> waker) { reader_.set_waker(std::move(waker)); }  // when a folder has been read
  void open(const FileQuestion& question);
  bool is_open() const { return open_; }
  void cancel();            // as by its button; a new folder that is being named first
  int shown_rows() const {  // -1: none yet
    return open_ && read_ ? int(shown_.size()) : -1;
  }

  std::optional<std::filesystem::path> draw();  // each frame; what was chosen, once

 private:
  void take_arrived();
  void draw_head();
  void draw_new_folder();
  void draw_places(bool beside);
  void draw_list(float height);
  void draw_row(uint32_t row);
  void draw_left_out();  // of files that the filter hides, how many
  void draw_name();
  void draw_kinds();
  bool draw_buttons();  // pressed: the dialog ends, with chosen_path_ or without
  int edit_name(ImGuiInputTextCallbackData& data);

  void enter(const std::filesystem::path& folder);
  void list_again();
  void go(int rows);                      // the chosen row, and the name, up or down
  void choose_row(int row);               // of the shown ones
  void take_row(uint32_t row);            // a double click: enters a folder, chooses a file
  void take(std::filesystem::path path);  // chooses, and makes the folders above it
  void accept();                          // the button, and Enter
  bool may_be_new() const;                // what is named need not be there
  const FolderEntry& entry(size_t row) const { return contents_.entries[shown_[row]]; }
  std::filesystem::path path_of(const std::string& text) const;
  std::optional<std::filesystem::path> answer() const;

  FileQuestion question_;
  FolderReader reader_;
  bool open_ = false, just_opened_ = false, cancelled_ = false, read_ = false;
  bool focus_name_ = false;   // the field of the name, in the next frame
  bool in_name_ = false;      // that has the keyboard, as of the last frame
  bool typed_early_ = false;  // before it had it
  bool to_row_ = false;       // the chosen row is to be in sight
  bool to_top_ = false;       // the list is another folder's
  bool makes_ = false, focus_making_ = false;
  float footer_ = 0;            // px, as in the last frame
  float width_ = 0, high_ = 0;  // px, of the window, as in the last frame
  size_t left_out_ = 0;         // files that are not listed because of their kind
  int kinds_ = 0, chosen_ = -1;
  std::filesystem::path folder_;
  FolderContents contents_;
  FolderView view_;
  std::vector<uint32_t> shown_;
  std::vector<Place> places_;
  std::string name_, new_name_, problem_;
  std::optional<std::filesystem::path> chosen_path_;
};

}  // namespace viewer
