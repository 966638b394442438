// The desktop's own file dialog by D-Bus: org.freedesktop.portal.FileChooser, as GNOME, KDE and others offer it, inside
// a sandbox too. The conversation has a thread of its own; nothing here waits for the bus, the desktop or the user.
// Documented at https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileChooser.html
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viewer {

enum class FileDialogKind { kOpenFile, kOpenFolder, kSaveFile, kResultsFolder };  // the last may be a new one
inline bool is_folder(FileDialogKind kind) {
  return kind == FileDialogKind::kOpenFolder || kind == FileDialogKind::kResultsFolder;
}

struct PortalQuestion {
  FileDialogKind kind = FileDialogKind::kOpenFile;
  std::string title;
  std::string folder;     // where it starts
  std::string suggested;  // the name a new file starts with
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
