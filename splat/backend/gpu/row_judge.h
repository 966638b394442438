// A step of density control on the device (backend/row_rules.h): one pass of kernels over the rows, 64 of them a block
// with the bounds of their centres, so that views, cameras and paths that have nothing of a block are asked for once;
// then radix selections of a score. Cost: two bytes a row to the host, sixteen waits, and the rows named.
#pragma once

#include "splat/backend/gpu/kernels.h"
#include "splat/backend/gpu/model_rows.h"
#include "splat/backend/row_rules.h"

namespace splat::gpu {

inline constexpr uint8_t kMoved = 1, kRemoved = 2, kBest = 4, kTied = 8;

struct JudgeArgs {
  const float* parameters;
  size_t block_floats;
  uint32_t rows;
  const math::Sight<double>* sights;    // [views]
  const math::Frustum<double>* frusta;  // [views]
  uint32_t views;
  const math::Path<double>* paths;   // [paths]
  const math::Cell<double>* around;  // [paths]
  uint32_t path_count;
  double nearer;
  bool wants_distances;
  float least_logit;
  uint8_t* verdicts;         // [N] kMoved, kRemoved
  unsigned long long* keys;  // [N] bits of the squared distance to the nearest camera
};
void judge_rows(const JudgeArgs& args, const Target& target);

// How many keys that begin with `prefix` have each value of the eight bits from `shift` on.
inline constexpr int kDigitBits = 8, kKeyBits = 64;
inline constexpr uint32_t kDigits = 1 << kDigitBits;
struct DigitArgs {
  const unsigned long long* keys;  // [count]
  uint32_t count;
  unsigned long long prefix;  // the bits above these
  int shift;
  uint32_t* digits;  // [kDigits] zeroed
};
void count_digits(const DigitArgs& args, const Target& target);

struct ScoreArgs {
  uint32_t rows;
  double inverse_squared_far;         // 0: all grow alike
  const float* mean2d_gradient_norm;  // [N]
  const uint32_t* visible_count;      // [N]
  const uint8_t* verdicts;            // [N]
  unsigned long long* keys;           // [N] distances before, scores after; 0: not to be cut
};
void score_rows(const ScoreArgs& args, const Target& target);

struct BestArgs {
  const unsigned long long* keys;  // [N]
  uint32_t rows;
  unsigned long long least;
  uint8_t* verdicts;  // [N] kBest above `least`, kTied at it
};
void mark_best(const BestArgs& args, const Target& target);

// scratch: ModelRows::scratch_floats() at least. moved_rows are as they were: the host moves them as its own.
void judge_rows(const RowRules& rules, ModelRows& model, float* scratch, const Target& target, RowVerdicts& verdicts);

}  // namespace splat::gpu
