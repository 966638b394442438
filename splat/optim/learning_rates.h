// Learning rates of the parameter groups and their schedule over a run.
// Source: Kerbl et al. 2023 and its reference code (opacity 0.025 since 2024, 0.05 before). Only the means' rate
// changes: log-linear from first to last between two iterations, held before and after; the reference's "delay" is off
// by default there (its delay steps are 0), so there is none here.
#pragma once

#include "splat/backend/backend.h"

namespace splat {

struct LearningRates {
  float mean_first = 1.6e-4f;  // of the scene extent, before it falls
  float mean_last = 1.6e-6f;   // of the scene extent, afterwards
  float sh0 = 2.5e-3f;
  float sh_rest = 1.25e-4f;  // sh0 / 20
  float opacity = 0.025f;    // of the logit
  float log_scale = 5e-3f;
  float quat = 1e-3f;

  friend bool operator==(const LearningRates&, const LearningRates&) = default;
};

// The iterations between which the means' rate falls. A span of less than 1 counts as 1.
struct MeanFall {
  int from = 0, until = 1;
};

// The means' rate, still in units of the scene extent.
double mean_rate_at(const LearningRates& rates, int iteration, MeanFall fall);

// What Backend::update() needs at `iteration` (1 for the first). `extent`: scene_extent.h, world units.
AdamSettings adam_settings(const LearningRates& rates, int iteration, MeanFall fall, double extent);

}  // namespace splat
