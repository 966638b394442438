// Pictures of splats from where cameras are (render).
#pragma once

#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"

namespace app {

// The result is a "summary". Every picture that is written is whole, wherever it ends.
Outcome draw_pictures(const RenderTask& task, Monitor& monitor);

}  // namespace app
