#include "viewer/dialogs/desktop_clipboard.h"

#include <fcntl.h>
#include <glib.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace viewer {
namespace {

// It reads the file as its input, and goes on in the background; GLib leaves it to the system, which collects it.
bool give_to(std::vector<std::string> words, const std::filesystem::path& file) {
  const int input = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (input < 0) return false;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const bool begun = g_spawn_async_with_fds(nullptr, arguments.data(), nullptr, G_SPAWN_SEARCH_PATH, nullptr, nullptr,
                                            nullptr, input, quiet, quiet, nullptr);
  close(input);
  close(quiet);
  return begun;
}

}  // namespace

bool copy_png_to_clipboard(const std::filesystem::path& png) {
  const std::vector<std::string> wayland{"wl-copy", "--type", "image/png"};
  const std::vector<std::string> x11{"xclip", "-selection", "clipboard", "-target", "image/png", "-i"};
  const char* display = g_getenv("WAYLAND_DISPLAY");
  if (display && *display && give_to(wayland, png)) return true;
  return give_to(x11, png);
}

}  // namespace viewer
