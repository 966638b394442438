// The job of `hipsplat train`: from photos, or a dataset with their cameras, to splats; with a film of the run where
// one is asked for.
#pragma once

#include <functional>

#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/jobs/training/training_run.h"
#include "app/settings/options.h"

namespace app {

// Takes a prepared run to its end: advance() until it is trained, then finish(). What is to happen between two
// iterations, and after them, happens there.
using RunLoop = std::function<Outcome(TrainingRun& run, const std::function<Outcome()>& advance)>;

// The results are a "start", an "eval" whenever held-out views were drawn, an "interrupted" or a "summary", and a
// "film". Cancelled, it leaves a checkpoint. loop: empty, nothing else is to happen.
Outcome train(const Options& options, Monitor& monitor, const RunLoop& loop = {});

}  // namespace app
