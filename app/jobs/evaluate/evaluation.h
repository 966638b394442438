// Splats compared with the photos that a dataset holds out (evaluate).
#pragma once

#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"

namespace app {

// The result is a "summary", also where photos and splats do not show the same, which is an error. Nothing is written.
Outcome evaluate(const EvaluateTask& task, Monitor& monitor);

}  // namespace app
