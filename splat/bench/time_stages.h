// Times whole training iterations on one scene and view, warm, stage by stage as the backend reports them
// (Backend::stage_times). Every repeat does the same work: all rates are zero. On a GPU iterations are timed back
// to back without synchronisation, as training runs them, and the stages afterwards, at most 50 times; processor time
// is not reported.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/bench/bench_scene.h"

namespace splat::bench {

struct TimingOptions {
  int repeats = 0;                                // timed iterations; 0: as many as fit in about 4 s, at least 7
  std::function<bool()> stop = {};                // asked between an iteration's calls
  std::function<void(int repeat)> progress = {};  // after each timed iteration, outside the time measured
};

// Medians over the repeats (on a GPU: over rows of them), each taken by itself: those of the stages need not add up to
// the iteration's.
struct StageResult {
  std::string name, unit;  // as StageTime
  uint64_t units = 0;
  double ms = 0, cpu_ms = 0, best_cpu_ms = 0;
  double ns_per_unit() const;  // of processor time where there is any, else of wall time
};

struct IterationResult {
  SceneSize size;
  int repeats = 0;
  double ms = 0, cpu_ms = 0;            // of an iteration; cpu: of all threads
  double best_ms = 0, best_cpu_ms = 0;  // the least of the repeats
  size_t memory_bytes = 0;              // held by the backend
  std::vector<StageResult> stages;
};

// Uploads the scene's model, which is then let go. Nothing when stopped.
std::optional<IterationResult> time_stages(Backend& backend, Scene scene, const TimingOptions& options);

}  // namespace splat::bench
