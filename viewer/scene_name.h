// The name of a scene in titles and lists.
#pragma once

#include <filesystem>
#include <string>

namespace viewer {

// The name of the file or folder; for results of training, which all have the same names, the folder's and the
// iteration: "garden, iteration 7000".
std::string scene_name(const std::filesystem::path& path);

}  // namespace viewer
