#include "studio/cleanup/cleanup.h"

#include <algorithm>
#include <functional>

#include "splat/clean/proposal.h"

namespace studio {

size_t CleanupProposal::count(size_t reason, float least) const {
  const std::vector<float>& of_it = scores[reason];
  return size_t(std::upper_bound(of_it.begin(), of_it.end(), least, std::greater<>()) - of_it.begin());
}

void Cleanup::forget() {
  const bool unfolded = shown;
  *this = {};
  shown = unfolded;
}

void Cleanup::take(CleanupProposal&& next) {
  forget();
  least = splat::clean::least_score(splat::clean::Strength::kNormal);
  proposal = std::move(next);
}

void Cleanup::keep_rows(uint64_t number, size_t rows) {
  for (std::optional<CleanupProposal>* const known : {&proposal, &arrived})
    if (*known && (*known)->number == number && (*known)->rows.size() > rows) (*known)->rows.resize(rows);
}

}  // namespace studio
