// A long film by Slurm (hipsplat render --slurm N): one script that queues an array of tasks, each drawing a part
// (--task), and the command that joins the parts once all are done. No scheduler of our own.
#pragma once

#include <filesystem>

#include "app/jobs/film/film_plan.h"
#include "splat/core/result.h"

namespace app {

// Repeats the command line in task.words, in this working directory.
std::string film_script(const RenderTask& task, int tasks, size_t splats, const FilmPlan& plan);
splat::Status write_film_script(const std::filesystem::path& file, const RenderTask& task, int tasks, size_t splats,
                                const FilmPlan& plan);

}  // namespace app
