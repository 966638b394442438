// Files and folders in the program that the desktop has for them.
#pragma once

#include <filesystem>

namespace viewer {

// By xdg-open, which is not waited for; false: it is not installed.
bool open_with_desktop(const std::filesystem::path& path);

}  // namespace viewer
