// The folder that a training run of hipsplat or of INRIA's code has written: where its splats, checkpoints and cameras
// are.
#pragma once

#include <filesystem>

namespace app {

// The folder with the cameras.json that `file` (splats or a checkpoint) belongs to: its own, or that of the layout
// above it; empty: none.
std::filesystem::path run_folder_of(const std::filesystem::path& file);

// "iteration_7000.checkpoint" -> 7000; -1: not such a name.
int iteration_of_checkpoint(const std::filesystem::path& file);
int iteration_of_result(
    const std::filesystem::path& file);  // likewise, also of splats in their place in a run's folder
std::filesystem::path newest_checkpoint(const std::filesystem::path& folder);  // of a run's folder; empty: none

// The plan of a scene in blocks (hipsplat blocks plan), and the splats of all blocks once they are merged.
std::filesystem::path city_file(const std::filesystem::path& folder);
std::filesystem::path merged_city(const std::filesystem::path& folder);
bool has_city(const std::filesystem::path& folder);

// The newest splats of a run's folder, else its newest checkpoint; empty: it holds neither.
std::filesystem::path newest_result(const std::filesystem::path& folder);

}  // namespace app
