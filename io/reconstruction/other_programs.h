// Cameras that other programs have found and that are not read here: recognised, so that nobody looks for them anew
// without knowing, and named with the way in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace io {

// Looks at the first kilobytes of those of `files` (below `folder`, files_below.h) whose names could be meant. A
// sentence that names what is there and what to do about it; empty: nothing.
std::string cameras_of_other_programs(const std::filesystem::path& folder, const std::vector<std::string>& files);

}  // namespace io
