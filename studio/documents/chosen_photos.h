// Photos that were chosen as files, as file managers drop them: which folder is opened for them.
#pragma once

#include <filesystem>
#include <vector>

#include "splat/core/result.h"
#include "studio/names.h"

namespace studio {

// The folder that they lie in where it holds no other photos; else one of links to these alone, below
// home_of_results(), the same for the same photos.
splat::Result<std::filesystem::path> folder_of_photos(const std::vector<std::filesystem::path>& photos);

}  // namespace studio
