// What a run will take, before it starts: a few iterations on a few photos are timed with as many splats as it starts
// with, and with as many as it is expected to end with.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "app/jobs/training/time_left.h"
#include "app/settings/options.h"
#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"

namespace app {

struct RunEstimate {
  double seconds = 0;         // of training: without reading photos, evaluation and files
  RunPace pace;               // by which they follow
  uint64_t splats = 0;        // at the end; where the strategy has no number of its own, the most that there may be
  uint64_t memory_bytes = 0;  // of the host, at most
  uint64_t result_bytes = 0;  // of the splats as .ply
  bool fits = true;           // with more memory there would not be more splats
};

inline constexpr uint64_t kMostTimed = 200'000;  // splats; beyond them the time grows in proportion

// `dataset`: as options.dataset reads it. `backend`: of the device that is to train; its model is lost. stop: asked
// between two iterations; nothing comes of it once it is true.
// Cost: some thirty iterations, or a second and a half of them, their memory, and a few photos read.
splat::Result<std::optional<RunEstimate>> estimate_run(const Options& options, const splat::Dataset& dataset,
                                                       splat::Backend& backend, const std::function<bool()>& stop);

}  // namespace app
