// Pictures for the clipboard, which GLFW has for text alone: the desktop's own programs keep them until something else
// is copied.
#pragma once

#include <filesystem>

namespace viewer {

// A PNG file, by wl-copy or xclip, which reads it meanwhile and is not waited for; false: neither is installed.
bool copy_png_to_clipboard(const std::filesystem::path& png);

}  // namespace viewer
