// Splat files into one (convert): reads, repairs, filters, cleans, places, merges and writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/clean/clean_model.h"
#include "app/jobs/convert/align_to.h"
#include "app/jobs/job.h"
#include "app/jobs/outcome.h"
#include "app/settings/tasks.h"
#include "io/io.h"
#include "splat/edit/filters.h"

namespace app {

struct ConvertReport {
  std::vector<std::string> formats;  // of the inputs
  std::vector<std::string> warnings;
  size_t splats_in = 0;
  uint64_t bytes_in = 0, bytes = 0;  // of the inputs; written
  splat::edit::FilterReport removed;
  std::optional<CleanReport> cleaned;
  std::optional<AlignedTo> aligned;
  io::SplatWriteReport written;
  double seconds = 0;
};

// Nothing is written where it fails or is cancelled. While the file is written it cannot be left: a process that is to
// end then ends (io::remove_partial_files()).
Outcome convert(const ConvertTask& task, Monitor& monitor, ConvertReport& report);

}  // namespace app
