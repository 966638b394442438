// Choosing a file or folder, while the window goes on: the desktop's own dialog through its portal (desktop_portal.h),
// else zenity or kdialog in a process of its own, else the window's (file_browser.h), which HIPSPLAT_OWN_FILE_DIALOG=1
// selects.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "viewer/dialogs/desktop_portal.h"
#include "viewer/dialogs/file_browser.h"

namespace viewer {

class FileDialog {
 public:
  using Kind = FileDialogKind;

  FileDialog() = default;
  ~FileDialog();
  FileDialog(const FileDialog&) = delete;
  FileDialog& operator=(const FileDialog&) = delete;

  void open(const FileQuestion& question);  // a dialog that is open already stays
  bool is_open() const { return portal_ || process_ > 0 || browser_.is_open(); }

  // For our own dialog:
  bool shows_browser() const { return browser_.is_open(); }
  void cancel() { browser_.cancel(); }
  int shown_rows() const { return browser_.shown_rows(); }
  void set_waker(std::function<void()> waker) { browser_.set_waker(std::move(waker)); }  // when it has more to draw

  // Each frame: draws our own where it is the one in use. The path, once, when one was chosen.
  std::optional<std::filesystem::path> poll();

 private:
  void open_without_portal();
  std::optional<std::filesystem::path> poll_portal();
  bool start_program(const std::string& folder, const std::string& suggested);
  std::optional<std::filesystem::path> poll_program();

  FileQuestion question_;
  FileBrowser browser_;
  std::unique_ptr<DesktopPortal> portal_;
  bool no_portal_ = false;  // it was tried, and is not available
  pid_t process_ = -1;
  int pipe_ = -1;
  std::string said_;
};

}  // namespace viewer
