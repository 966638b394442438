// Finds the runs of a dataset: folders beside it, and others that are named, whose cfg_args says that they were trained
// on it. What is no run, or is damaged, is passed over; what is missing of a run stays unknown.
#pragma once

#include <filesystem>
#include <span>

#include "studio/runs/messages.h"

namespace app {

// recent: files and folders that were opened; runs among them are found wherever they are. Cost: a look into each
// folder beside the dataset, two small files read of each run, and the start of a checkpoint where a run was stopped.
viewer::RunHistory run_history_of(const std::filesystem::path& dataset, std::span<const std::filesystem::path> recent);

}  // namespace app
