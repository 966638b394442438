// What a conversion has read, left out and written: as a "summary", and in lines for people.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/jobs/clean/clean_model.h"
#include "app/jobs/convert/align_to.h"
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

nlohmann::json facts_of(const ConvertTask& task, const ConvertReport& report);
std::string text_of(const ConvertTask& task, const ConvertReport& report);

}  // namespace app
