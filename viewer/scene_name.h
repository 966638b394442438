// The name of a scene in titles and lists, and where its results lie.
#pragma once

#include <filesystem>
#include <string>

namespace viewer {

// The name of the file or folder; for results of training, which all have the same names, the folder's and the
// iteration: "garden, iteration 7000".
std::string scene_name(const std::filesystem::path& path);
// The run's folder of splats and checkpoints that are in their places there, else the file's. By names alone.
std::filesystem::path folder_of_results(const std::filesystem::path& file);

}  // namespace viewer
