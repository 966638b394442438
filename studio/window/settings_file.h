// The file of the window's settings: hipsplat/window.json in the XDG config folder. Where it is missing, damaged or
// cannot be written, the window opens with the defaults.
#pragma once

#include <filesystem>
#include <string>

#include "splat/core/result.h"
#include "studio/names.h"

namespace studio {

// $XDG_CONFIG_HOME, else $HOME/.config; empty: neither is set.
std::filesystem::path config_folder();

std::string read_window_settings(const std::filesystem::path& folder);  // empty: none, or not readable
splat::Status write_window_settings(const std::filesystem::path& folder, const std::string& text);

}  // namespace studio
