// Choosing a file or folder, while the window goes on: the desktop's own dialog through its portal (desktop_portal.h),
// else zenity or kdialog in a process of its own, else a small browser drawn in the window.
// HIPSPLAT_OWN_FILE_DIALOG=1 selects the browser.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/dialogs/desktop_portal.h"

namespace viewer {

class FileDialog {
 public:
  using Kind = FileDialogKind;

  FileDialog() = default;
  ~FileDialog();
  FileDialog(const FileDialog&) = delete;
  FileDialog& operator=(const FileDialog&) = delete;

  // `suggested`: the name a new file starts with. A dialog that is open already stays.
  void open(Kind kind, const std::string& title, const std::string& folder, const std::string& suggested);
  bool is_open() const { return portal_ || process_ > 0 || browsing_; }

  void cancel() { cancelled_ = browsing_; }  // our own dialog, as by its button

  // Each frame: draws the browser where it is the one in use. The path, once, when one was chosen.
  std::optional<std::filesystem::path> poll();

 private:
  struct Entry {
    std::string name;
    bool folder = false;
    uintmax_t bytes = 0;
  };

  void open_without_portal();
  std::optional<std::filesystem::path> poll_portal();
  bool start_program(const std::string& folder, const std::string& suggested);
  std::optional<std::filesystem::path> poll_program();
  std::optional<std::filesystem::path> draw_browser();
  void draw_places();
  void draw_entries(std::optional<std::filesystem::path>& chosen);
  void enter(const std::filesystem::path& folder);
  std::optional<std::filesystem::path> answer() const;

  Kind kind_ = Kind::kOpenFile;
  std::string title_, start_folder_, suggested_;
  std::unique_ptr<DesktopPortal> portal_;
  bool no_portal_ = false;  // it was tried, and is not available
  pid_t process_ = -1;
  int pipe_ = -1;
  std::string said_;

  bool browsing_ = false, just_opened_ = false;
  bool cancelled_ = false;   // by cancel()
  bool focus_name_ = false;  // the field of the name, in the next frame
  std::filesystem::path folder_;
  std::vector<Entry> entries_;
  std::string name_;     // in the name field
  std::string problem_;  // why the folder cannot be shown
};

}  // namespace viewer
