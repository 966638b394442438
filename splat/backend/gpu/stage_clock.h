// How long the stages of an iteration take on the device, by events between them. Off until started,
// so that other runs record nothing.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/gpu_runtime.h"

namespace splat::gpu {

enum class Stage { kProject, kTileLists, kBlendForward, kLoss, kBlendBackward, kUpdate, kCount };
inline constexpr std::string_view kStageNames[] = {"project", "tile_lists",     "blend_forward",
                                                   "loss",    "blend_backward", "update"};

class StageClock {
 public:
  StageClock() = default;
  ~StageClock() {
    for (Pair& pair : pairs_) (void)hipEventDestroy(pair.begin), (void)hipEventDestroy(pair.end);
  }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

  bool running() const { return !pairs_.empty(); }
  void start() {
    pairs_.resize(size_t(Stage::kCount));
    for (Pair& pair : pairs_) {
      SPLAT_GPU_CHECK(hipEventCreate(&pair.begin));
      SPLAT_GPU_CHECK(hipEventCreate(&pair.end));
    }
  }
  template <class Work>
  void time(Stage stage, hipStream_t stream, const Work& work) {
    if (!running()) return work();
    Pair& pair = pairs_[size_t(stage)];
    SPLAT_GPU_CHECK(hipEventRecord(pair.begin, stream));
    work();
    SPLAT_GPU_CHECK(hipEventRecord(pair.end, stream));
    pair.recorded = true;
  }
  // Waits for the stage. 0: not run since start().
  double ms(Stage stage) const {
    const Pair& pair = pairs_[size_t(stage)];
    if (!pair.recorded) return 0;
    float value = 0;
    SPLAT_GPU_CHECK(hipEventSynchronize(pair.end));
    SPLAT_GPU_CHECK(hipEventElapsedTime(&value, pair.begin, pair.end));
    return double(value);
  }
  // Times of the last iteration, with the work of each stage.
  std::vector<StageTime> times(uint64_t splats, uint64_t instances, uint64_t pixels) const {
    std::vector<StageTime> all;
    for (int s = 0; s < int(Stage::kCount); ++s) {
      const Stage stage = Stage(s);
      StageTime time{kStageNames[s], ms(stage), 0, instances, "instance"};
      if (stage == Stage::kProject || stage == Stage::kUpdate) time.units = splats, time.unit = "splat";
      if (stage == Stage::kLoss) time.units = pixels, time.unit = "pixel";
      all.push_back(time);
    }
    return all;
  }

 private:
  struct Pair {
    hipEvent_t begin = nullptr, end = nullptr;
    bool recorded = false;
  };
  std::vector<Pair> pairs_;
};

}  // namespace splat::gpu
