#include "app/jobs/slurm_script.h"

#include <fmt/format.h>

namespace app {

std::string slurm_task_lines(const std::string& more, uint64_t memory_mb) {
  return fmt::format(
      "#SBATCH {}\n"
      "#SBATCH --ntasks=1\n"
      "#SBATCH --cpus-per-task=1\n"
      "#SBATCH --mem={}M\n"
      "#SBATCH --time=1-00:00:00\n"
      "#SBATCH --requeue\n"
      "#SBATCH --open-mode=append\n"
      "#SBATCH --signal=B:TERM@120\n"
      "#SBATCH --output=slurm-%A_%a.log\n"
      "# A GPU for each task: remove the first of the two signs.\n"
      "##SBATCH --gres=gpu:1\n",
      more, memory_mb);
}

std::string slurm_task(const std::string& command) {
  return command +
         " &\n"
         "child=$!\n"
         "trap 'kill -TERM \"$child\" 2>/dev/null' TERM\n"
         "wait \"$child\"\n"
         "code=$?\n"
         "if kill -0 \"$child\" 2>/dev/null; then\n"
         "  wait \"$child\"\n"
         "  code=$?\n"
         "fi\n"
         "# Interrupted before the time was up, its state is kept; killed, what was finished is. It goes on in "
         "another\n"
         "# task, after having been killed five times at most.\n"
         "if [ \"$code\" -eq 130 ] || { [ \"$code\" -eq 137 ] && [ \"${SLURM_RESTART_COUNT:-0}\" -lt 5 ]; }; then\n"
         "  scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\n"
         "fi\n"
         "exit \"$code\"\n";
}

}  // namespace app
