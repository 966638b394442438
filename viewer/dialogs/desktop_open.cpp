#include "viewer/dialogs/desktop_open.h"

#include <glib.h>

namespace viewer {

// GLib leaves the program to the system, which collects it.
bool open_with_desktop(const std::filesystem::path& path) {
  std::string words[] = {"xdg-open", path.string()};
  char* arguments[] = {words[0].data(), words[1].data(), nullptr};
  const auto quiet = GSpawnFlags(G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL);
  return g_spawn_async(nullptr, arguments, nullptr, quiet, nullptr, nullptr, nullptr, nullptr);
}

}  // namespace viewer
