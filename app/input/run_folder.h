// The folder that a training run of hipsplat or of INRIA's code has written: where its splats, checkpoints and cameras
// are.
#pragma once

#include <filesystem>

namespace app {

// The folder with the cameras.json that `file` (splats or a checkpoint) belongs to: its own, or that of the layout
// above it; empty: none.
std::filesystem::path run_folder_of(const std::filesystem::path& file);

// The newest splats of a run's folder, else its newest checkpoint; empty: it holds neither.
std::filesystem::path newest_result(const std::filesystem::path& folder);

}  // namespace app
