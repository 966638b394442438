// Any job by its verb, for whoever has no command line.
#pragma once

#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/jobs/training/train_job.h"
#include "app/settings/options.h"

namespace app {

// Knows train, align, render (pictures, or a film), evaluate, mesh and convert.
// loop: of a training run.
Outcome run_job(const Options& options, Monitor& monitor, const RunLoop& loop = {});

}  // namespace app
