// How much room on its disk a run's files take, found out before it starts.
#pragma once

#include <cstdint>
#include <filesystem>

#include "app/jobs/training/run_output.h"
#include "splat/model/dataset.h"

namespace app {

struct DiskPlan {
  uint64_t first_bytes = 0;  // first files, one splat file and one checkpoint, of the splats there are at the start
  uint64_t most_bytes = 0;   // when it grows to the most splats: with every splat file and the checkpoints kept
  uint64_t free_bytes = 0;   // what the disk of the output has; UINT64_MAX: unknown
};

struct DiskNeed {
  uint64_t starting_splats = 0, most_splats = 0;
  int sh_degree = 3;
  size_t splat_files = 1;  // --save-at and the last
  size_t checkpoints = 1;  // at a time, the one that is being written included
};

DiskPlan plan_disk(const RunOutput& output, const splat::Dataset& dataset, const DiskNeed& need);

// Bytes that an ordinary user may still write where `path` is or will be; UINT64_MAX: unknown.
uint64_t free_disk_bytes(const std::filesystem::path& path);

}  // namespace app
