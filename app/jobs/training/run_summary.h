// What a training run says about itself: before its first iteration, in its record, and at its end.
#pragma once

#include <filesystem>

#include "app/jobs/training/run_now.h"
#include "app/jobs/training/run_record.h"

namespace app {

void announce(const RunNow& run);

// All of it but where the run began, the memory that was predicted, and how well the photos fit.
void fill_record(const RunNow& run, RunRecord& record);

// report_file: empty, there is none.
void print_summary(const RunNow& run, const RunRecord& record, const std::filesystem::path& splat_file,
                   const std::filesystem::path& report_file);

}  // namespace app
