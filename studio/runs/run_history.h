// Finds the runs of a dataset: folders beside it, and others that are named, whose cfg_args says that they were trained
// on it. What is no run, or is damaged, is passed over; what is missing of a run stays unknown.
#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "studio/runs/messages.h"

namespace studio {

struct WhereRunsAre {
  std::span<const std::filesystem::path> recent;  // files and folders that were opened: runs there, and beside them
  std::span<const std::filesystem::path> known;   // folders of runs (known_runs.h)
  std::filesystem::path trains;                   // that of the run in this window; empty: none
};

// dataset: empty, those of all datasets. Cost: a look into each folder beside the dataset, two small files read of each
// run, and the start of a checkpoint where a run was stopped.
RunHistory run_history_of(const std::filesystem::path& dataset, const WhereRunsAre& where);

// The run in this folder; none: there is none.
std::optional<PastRun> run_in_folder(const std::filesystem::path& folder);

}  // namespace studio
