// The folders of runs that were begun or opened in the window, wherever they lie: runs.json in its configuration
// folder, the newest first, so that a list of runs has them after a restart. At most 200, and none that is gone.
#pragma once

#include <filesystem>
#include <vector>

#include "studio/names.h"

namespace studio {

// config: empty, nothing is known and kept. A file that cannot be read or written is none.
std::vector<std::filesystem::path> known_runs(const std::filesystem::path& config);
void note_run(const std::filesystem::path& config, const std::filesystem::path& run);

}  // namespace studio
