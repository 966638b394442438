// For how long a run had trained at each of its checkpoints: seconds.json in its folder, by which one that goes on
// counts on. Not in the checkpoints, whose bytes depend on no clock.
#pragma once

#include <filesystem>

namespace app {

// 0: not known.
double seconds_at(const std::filesystem::path& checkpoint);

// For a checkpoint in a run's folder that was written now; where it cannot be noted it is not known then.
void note_seconds_at(const std::filesystem::path& checkpoint, double seconds);

}  // namespace app
