// The job of `hipsplat mesh`: from a file of splats, and the photos where there are any, to the file of a mesh.
#pragma once

#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"

namespace app {

// The result is a "summary". Nothing is written before the mesh is whole.
Outcome run_mesh(const MeshTask& task, Monitor& monitor);

}  // namespace app
