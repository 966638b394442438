// What an existing scheduler needs to train the blocks of a city: no scheduler of our own.
#pragma once

#include "app/jobs/blocks/city.h"

namespace app {

// blocks.sbatch, merge.sbatch and submit.sh for Slurm, kubernetes.yaml for an indexed Job; into the city's folder.
splat::Status write_scripts(const City& city);

std::string slurm_array(const City& city);
std::string slurm_merge();
std::string slurm_submit();
std::string kubernetes_jobs(const City& city);

}  // namespace app
