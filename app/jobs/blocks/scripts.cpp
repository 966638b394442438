#include "app/jobs/blocks/scripts.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/jobs/blocks/cut.h"
#include "app/jobs/slurm_script.h"
#include "io/atomic_file.h"

namespace app {

namespace fs = std::filesystem;
using splat::Status;

namespace {

constexpr uint64_t kMegabyte = 1'000'000;

// For the largest block, with a tenth to spare.
uint64_t memory_mb(const City& city) {
  uint64_t most = 0;
  for (const Block& block : city.blocks) most = std::max(most, requested_bytes(block));
  return (most + kMegabyte - 1) / kMegabyte;
}

}  // namespace

std::string slurm_array(const City& city) {
  return "#!/bin/sh\n"
         "# One block a task. A task that is killed or preempted goes on where its last checkpoint is, so it may be\n"
         "# queued again as often as the cluster likes. Change the lines below to what the cluster has.\n" +
         slurm_task_lines(fmt::format("--job-name=hipsplat\n#SBATCH --array=0-{}", city.blocks.size() - 1),
                          memory_mb(city)) +
         "\n" +
         slurm_task(
             "\"${HIPSPLAT:-hipsplat}\" blocks train . \"$SLURM_ARRAY_TASK_ID\" --threads "
             "\"${SLURM_CPUS_PER_TASK:-1}\" --quiet");
}

std::string slurm_merge() {
  return "#!/bin/sh\n"
         "#SBATCH --job-name=hipsplat-merge\n"
         "#SBATCH --ntasks=1\n"
         "#SBATCH --requeue\n"
         "#SBATCH --output=slurm-merge-%j.log\n"
         "\n"
         "exec \"${HIPSPLAT:-hipsplat}\" blocks merge . --quiet\n";
}

std::string slurm_submit() {
  return "#!/bin/sh\n"
         "# Queues the blocks, and what merges them once all are done. HIPSPLAT names the program where it is not in\n"
         "# the PATH of the nodes. Words given to this script go to the array: ./submit.sh --partition=gpu\n"
         "set -e\n"
         "cd \"$(dirname \"$0\")\"\n"
         "blocks=$(sbatch --parsable \"$@\" blocks.sbatch)\n"
         "merge=$(sbatch --parsable --dependency=\"afterok:${blocks%%;*}\" merge.sbatch)\n"
         "echo \"blocks $blocks, merge $merge\"\n";
}

std::string kubernetes_jobs(const City& city) {
  const auto job = [&](const char* name, const std::string& spec, const std::string& command) {
    return fmt::format(
        "apiVersion: batch/v1\n"
        "kind: Job\n"
        "metadata:\n"
        "  name: {}\n"
        "spec:\n"
        "{}"
        "  backoffLimit: 20\n"
        "  template:\n"
        "    spec:\n"
        "      restartPolicy: OnFailure\n"
        "      terminationGracePeriodSeconds: 120\n"
        "      containers:\n"
        "        - name: hipsplat\n"
        "          image: hipsplat\n"
        "          command: [\"/bin/sh\", \"-c\", \"{}\"]\n"
        "          workingDir: /city\n"
        "          resources:\n"
        "            requests:\n"
        "              cpu: \"1\"\n"
        "              memory: {}M\n"
        "            limits:\n"
        "              memory: {}M\n"
        "          volumeMounts:\n"
        "            - name: city\n"
        "              mountPath: /city\n"
        "      volumes:\n"
        "        - name: city\n"
        "          persistentVolumeClaim:\n"
        "            claimName: city\n",
        name, spec, command, memory_mb(city), memory_mb(city));
  };
  const std::string indexed =
      fmt::format("  completionMode: Indexed\n  completions: {0}\n  parallelism: {0}\n", city.blocks.size());
  return "# The city, and the dataset where the plan says it is, lie in the volume of the claim 'city'. The second "
         "Job\n"
         "# waits for nobody: create it when the first is complete (kubectl wait --for=condition=complete).\n" +
         job("hipsplat-blocks", indexed, "exec hipsplat blocks train . $JOB_COMPLETION_INDEX --quiet") + "---\n" +
         job("hipsplat-merge", "", "exec hipsplat blocks merge . --quiet");
}

Status write_scripts(const City& city) {
  SPLAT_TRY(io::write_file_atomically(city.folder / "blocks.sbatch", slurm_array(city)));
  SPLAT_TRY(io::write_file_atomically(city.folder / "merge.sbatch", slurm_merge()));
  SPLAT_TRY(io::write_file_atomically(city.folder / "submit.sh", slurm_submit()));
  SPLAT_TRY(io::write_file_atomically(city.folder / "kubernetes.yaml", kubernetes_jobs(city)));
  std::error_code code;
  fs::permissions(city.folder / "submit.sh", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, code);
  return {};
}

}  // namespace app
