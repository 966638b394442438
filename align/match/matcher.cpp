#include "align/match/matcher.h"

#include <algorithm>
#include <cmath>

#include "splat/core/check.h"

namespace align {

namespace {

// In COLMAP's arithmetic (feature/sift.cc), so that borderline cases fall the same way.
float distance_of(int32_t dot) {
  constexpr float kScale = 1.0f / (512.0f * 512.0f);
  return std::acos(std::min(kScale * float(dot), 1.0f));
}

}  // namespace

std::span<const Match> PairMatcher::match(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  SPLAT_CHECK_EQ(a.size() % kDescriptorBytes, 0u);
  SPLAT_CHECK_EQ(b.size() % kDescriptorBytes, 0u);
  matches_.clear();
  if (a.empty() || b.empty()) return matches_;
  const size_t n_a = a.size() / kDescriptorBytes, n_b = b.size() / kDescriptorBytes;
  best_a_.resize(n_a), second_a_.resize(n_a), best_b_.resize(n_b), second_b_.resize(n_b);
  scratch_.resize(level_.kernels.scratch_bytes(n_a, n_b));
  level_.kernels.best_two({a.data(),
                           b.data(),
                           n_a,
                           n_b,
                           {best_a_.data(), second_a_.data()},
                           {best_b_.data(), second_b_.data()},
                           scratch_.data()});

  const auto clear_ones = [this](const std::vector<int32_t>& best, const std::vector<int32_t>& second,
                                 std::vector<Candidate>& candidates) {
    candidates.clear();
    for (size_t i = 0; i < best.size(); ++i) {
      if (best[i] <= second[i] || !is_near(best[i])) continue;
      const bool clear = is_clear(best[i], second[i]);
      if (clear || !rule_.both_sides) candidates.push_back({best[i], uint32_t(i), clear});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) {
      return x.dot != y.dot ? x.dot < y.dot : x.index < y.index;
    });
  };
  clear_ones(best_a_, second_a_, candidates_a_);
  clear_ones(best_b_, second_b_, candidates_b_);

  // Which column holds a row's largest product was not kept. It is the only one with that value, as the second is less;
  // so of two candidates with the same value it suffices to see whether it is their product.
  const auto dot = [&](uint32_t i, uint32_t j) {
    const uint8_t *x = a.data() + i * kDescriptorBytes, *y = b.data() + j * kDescriptorBytes;
    int32_t sum = 0;
    for (size_t k = 0; k < kDescriptorBytes; ++k) sum += int32_t(x[k]) * y[k];
    return sum;
  };
  auto first_of_b = candidates_b_.begin();
  for (const Candidate& row : candidates_a_) {
    while (first_of_b != candidates_b_.end() && first_of_b->dot < row.dot) ++first_of_b;
    for (auto column = first_of_b; column != candidates_b_.end() && column->dot == row.dot; ++column)
      if ((row.clear || column->clear) && dot(row.index, column->index) == row.dot) {
        matches_.push_back({row.index, column->index});
        break;
      }
  }
  std::sort(matches_.begin(), matches_.end(), [](const Match& x, const Match& y) { return x.first < y.first; });
  return matches_;
}

bool PairMatcher::is_near(int32_t best) const { return best > 0 && distance_of(best) <= rule_.max_distance; }

bool PairMatcher::is_clear(int32_t best, int32_t second) const {
  return distance_of(best) < rule_.max_ratio * distance_of(second);
}

}  // namespace align
