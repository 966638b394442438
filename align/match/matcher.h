// Which features of two photos show the same point: by COLMAP's rule (SiftMatching of 3.8, FeatureMatching of 4.x), on
// all pairs of descriptors instead of an approximate search. A match is the best of both sides, within max_distance and
// clearly better than the second best; d = acos(a.b / 512^2) for descriptors of length 512. Exact, so the same on every
// SIMD level. Cost: 128 n_a n_b products of bytes; 2 to 25 ms for 4096 features each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "align/match/kernels.h"
#include "splat/core/aligned_buffer.h"

namespace align {

struct MatchRule {
  float max_distance = 0.7f;  // rad
  float max_ratio = 0.8f;     // of the second best distance
  bool both_sides = true;     // the ratio must hold seen from both features; false: from one of them
};

struct Match {
  uint32_t first, second;  // indices into the two photos' features
  bool operator==(const Match&) const = default;
};

struct MatchLevel {
  const char* name;  // "sse4", "avx2", "avx2vnni", "avx512", "avx512vnni", "neon"
  MatchKernels kernels;
};

// Compiled in and usable on this processor, best last.
std::vector<MatchLevel> usable_match_levels();
// The best, but no better than HIPSPLAT_SIMD says. Every processor that runs hipsplat has one.
MatchLevel choose_match_level();

// One for each thread: it keeps the memory it works in.
class PairMatcher {
 public:
  explicit PairMatcher(const MatchLevel& level, const MatchRule& rule = {}) : level_(level), rule_(rule) {}

  // Descriptors [n, 128]; matches in the order of `a`'s features. The result stays valid until the next call.
  std::span<const Match> match(std::span<const uint8_t> a, std::span<const uint8_t> b);

 private:
  bool is_near(int32_t best) const;
  bool is_clear(int32_t best, int32_t second) const;

  MatchLevel level_;
  MatchRule rule_;
  splat::AlignedBuffer<std::byte> scratch_;
  std::vector<int32_t> best_a_, second_a_, best_b_, second_b_;
  struct Candidate {
    int32_t dot;
    uint32_t index;
    bool clear;
  };
  std::vector<Candidate> candidates_a_, candidates_b_;
  std::vector<Match> matches_;
};

}  // namespace align
