// Splat files into one (convert): reads, repairs, filters, cleans, places, merges and writes.
#pragma once

#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"

namespace app {

// The result is a "summary". Nothing is written where it fails or is cancelled. While the file is written it cannot be
// left: a process that is to end then ends (io::remove_partial_files()).
Outcome convert(const ConvertTask& task, Monitor& monitor);

}  // namespace app
