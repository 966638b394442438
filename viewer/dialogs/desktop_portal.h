// The desktop's own file dialog by D-Bus: org.freedesktop.portal.FileChooser, as GNOME, KDE and others offer it, inside
// a sandbox too. The conversation has a thread of its own; nothing here waits for the bus, the desktop or the user.
// Documented at https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileChooser.html
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/dialogs/folder_list.h"

namespace viewer {

// kOpenAny: a file; our own dialog takes a folder, too. kResultsFolder: it may be a new one.
enum class FileDialogKind { kOpenFile, kOpenAny, kOpenFolder, kSaveFile, kResultsFolder };
inline bool is_folder(FileDialogKind kind) {
  return kind == FileDialogKind::kOpenFolder || kind == FileDialogKind::kResultsFolder;
}
// Whether a dialog has a choice between them and all files.
inline bool has_kinds(FileDialogKind kind, const FileKinds& kinds) {
  return !is_folder(kind) && !kinds.endings.empty();
}

struct PortalQuestion {
  FileDialogKind kind = FileDialogKind::kOpenFile;
  std::string title;
  std::string folder;     // where it starts
  std::string suggested;  // the name a new file starts with
  FileKinds kinds{};      // shown at first
};

struct PortalAnswer {
  bool available = false;                       // false: there is no such dialog here, nothing was shown
  std::optional<std::filesystem::path> chosen;  // none: cancelled
};

class DesktopPortal {
 public:
  // `bus`: the session bus's address (session_bus_address()).
  DesktopPortal(const std::string& bus, PortalQuestion question);
  ~DesktopPortal();  // closes the dialog if it is still open; at most about 50 ms
  DesktopPortal(const DesktopPortal&) = delete;
  DesktopPortal& operator=(const DesktopPortal&) = delete;

  std::optional<PortalAnswer> poll();  // the answer, once

 private:
  struct Conversation;
  std::unique_ptr<Conversation> conversation_;
};

std::string session_bus_address();  // empty: this is no desktop session

// "file:///home/a%20b" -> /home/a b; nullopt: not a local file, or badly written.
std::optional<std::filesystem::path> path_of_file_uri(const std::string& uri);

}  // namespace viewer
