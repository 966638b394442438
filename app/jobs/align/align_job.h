// The job of `hipsplat align`: from photos or a video to a folder with their cameras.
#pragma once

#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"

namespace app {

// The result is a "summary". The same task goes on with what an interrupted one has found.
Outcome align_photos(const AlignTask& task, Monitor& monitor);

}  // namespace app
