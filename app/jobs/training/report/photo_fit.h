// The part of report.html about the photos that were trained on: how well they fit, and which do not.
#pragma once

#include <string>

#include "app/jobs/training/run_record.h"

namespace app {

inline constexpr size_t kListedPhotos = 10;  // the worst; all are in metrics.json

std::string photo_fit_html(const RunRecord& record);  // empty where the record has nothing about them

}  // namespace app
