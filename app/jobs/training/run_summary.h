// What a training run says about itself: before its first iteration, in its record, and at its end.
#pragma once

#include <filesystem>

#include "app/jobs/job.h"
#include "app/jobs/training/run_now.h"
#include "app/jobs/training/run_record.h"

namespace app {

void announce(const RunNow& run, Monitor& monitor);  // a "start"

// All of it but where the run began, the memory that was predicted, and how well the photos fit.
void fill_record(const RunNow& run, RunRecord& record);

// A "summary". report_file: empty, there is none.
void say_summary(const RunNow& run, const RunRecord& record, const std::filesystem::path& splat_file,
                 const std::filesystem::path& report_file, Monitor& monitor);

}  // namespace app
