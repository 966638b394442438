#include "studio/cleanup/cleanup.h"

#include <algorithm>
#include <functional>

namespace studio {

size_t CleanupReason::count(float least) const {
  return size_t(std::upper_bound(scores.begin(), scores.end(), least, std::greater<>()) - scores.begin());
}

void Cleanup::forget() {
  const bool unfolded = shown;
  *this = {};
  shown = unfolded;
}

void Cleanup::take(CleanupProposal&& next) {
  forget();
  least = next.strengths[1];
  proposal = std::move(next);
}

void Cleanup::keep_rows(uint64_t number, size_t rows) {
  for (std::optional<CleanupProposal>* const known : {&proposal, &arrived})
    if (*known && (*known)->number == number && (*known)->rows.size() > rows) (*known)->rows.resize(rows);
}

}  // namespace studio
