// Choosing a file or folder, while the window goes on: the desktop's own dialog through its portal (desktop_portal.h),
// else the window's (file_browser.h), which HIPSPLAT_OWN_FILE_DIALOG=1 selects.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "viewer/dialogs/desktop_portal.h"
#include "viewer/dialogs/file_browser.h"

namespace viewer {

class FileDialog {
 public:
  using Kind = FileDialogKind;

  void open(const FileQuestion& question);  // a dialog that is open already stays
  bool is_open() const { return portal_ || browser_.is_open(); }

  // For our own dialog:
  bool shows_browser() const { return browser_.is_open(); }
  void cancel() { browser_.cancel(); }
  int shown_rows() const { return browser_.shown_rows(); }
  void set_waker(std::function<void()> waker) { browser_.set_waker(std::move(waker)); }  // when it has more to draw

  // Each frame: draws our own where it is the one in use. The path, once, when one was chosen.
  std::optional<std::filesystem::path> poll();

 private:
  std::optional<std::filesystem::path> poll_portal();

  FileQuestion question_;
  FileBrowser browser_;
  std::unique_ptr<DesktopPortal> portal_;
  bool no_portal_ = false;  // it was tried, and is not available
};

}  // namespace viewer
