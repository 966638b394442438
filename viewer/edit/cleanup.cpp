#include "viewer/edit/cleanup.h"

#include <algorithm>
#include <functional>

namespace viewer {

size_t CleanupReason::count(float least) const {
  return size_t(std::upper_bound(scores.begin(), scores.end(), least, std::greater_equal<>()) - scores.begin());
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

}  // namespace viewer
