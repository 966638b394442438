#include "viewer/dialogs/desktop_open.h"

#include <spawn.h>
#include <sys/wait.h>

#include <string>

namespace viewer {

// The shell ends at once and leaves the program to the system, which collects it.
bool open_with_desktop(const std::filesystem::path& path) {
  std::string words[] = {"sh", "-c",
                         "command -v xdg-open >/dev/null || exit 1; xdg-open \"$1\" >/dev/null 2>&1 </dev/null &", "sh",
                         path.string()};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), words[4].data(), nullptr};
  pid_t shell = -1;
  if (posix_spawnp(&shell, arguments[0], nullptr, nullptr, arguments, environ) != 0) return false;
  int status = 0;
  waitpid(shell, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace viewer
