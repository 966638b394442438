// The rows of an edited model that came or were moved since somebody looked last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "splat/edit/history.h"

namespace splat::edit {

class ChangedRuns {
 public:
  static constexpr uint32_t kGap = 64;

  void add(uint32_t begin, uint32_t end) { runs_.push_back({begin, end}); }
  void clear() { runs_.clear(); }

  // In order, those of rows that went left out; rows between two runs that lie less than kGap apart are among them.
  std::vector<RowRun> merged(uint32_t rows) const {
    std::vector<RowRun> runs = runs_, merged;
    std::sort(runs.begin(), runs.end(), [](const RowRun& a, const RowRun& b) { return a.begin < b.begin; });
    for (const RowRun& run : runs) {
      if (run.begin >= rows) break;
      const uint32_t end = std::min(run.end, rows);
      if (!merged.empty() && run.begin <= merged.back().end + kGap)
        merged.back().end = std::max(merged.back().end, end);
      else
        merged.push_back({run.begin, end});
    }
    return merged;
  }

 private:
  std::vector<RowRun> runs_;  // in no order
};

}  // namespace splat::edit
