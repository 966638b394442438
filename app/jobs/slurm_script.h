// What scripts for Slurm share: a task that is interrupted or killed goes on where it was, so it is queued again.
#pragma once

#include <cstdint>
#include <string>

namespace app {

// "#SBATCH" lines of the tasks of an array, from the job's name on; the memory is that of one.
std::string slurm_task_lines(const std::string& more, uint64_t memory_mb);
// Runs the shell command, as a task of an array, and passes the signal on by which Slurm announces the end of its time.
std::string slurm_task(const std::string& command);

}  // namespace app
