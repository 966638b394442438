#include "studio/window/settings_file.h"

#include "app/jobs/host/small_file.h"
#include "io/atomic_file.h"
#include "splat/core/system.h"

namespace studio {

namespace fs = std::filesystem;

namespace {

constexpr uintmax_t kMostBytes = 1 << 20;  // a larger file is none of ours

fs::path file_in(const fs::path& folder) { return folder / "window.json"; }

}  // namespace

fs::path config_folder() {
  const char* config = splat::environment("XDG_CONFIG_HOME");
  if (config && fs::path(config).is_absolute()) return fs::path(config) / "hipsplat";
  const char* home = splat::environment("HOME");
  if (home && *home) return fs::path(home) / ".config" / "hipsplat";
  return {};
}

std::string read_window_settings(const fs::path& folder) {
  return folder.empty() ? "" : read_small_file(file_in(folder), kMostBytes).value_or("");
}

splat::Status write_window_settings(const fs::path& folder, const std::string& text) {
  if (folder.empty())
    return splat::Error{"the window's settings are not kept: neither XDG_CONFIG_HOME nor HOME is set"};
  std::error_code code;
  fs::create_directories(folder, code);  // an error shows when the file is written
  return io::write_file_atomically(file_in(folder), text);
}

}  // namespace studio
