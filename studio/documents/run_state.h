// A training run as the window knows it: its state now, and how one that has ended can go on.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "splat/model/gaussians.h"
#include "splat/train/progress.h"

namespace viewer {

// A run that can go on.
struct Continuation {
  std::filesystem::path checkpoint, output;  // output: the run's folder
  int iteration = 0;                         // of the checkpoint
  int iterations = 0;                        // that the run was to have
};

enum class RunStatus { kNone, kPreparing, kRunning, kPaused, kStopping, kFinished, kStopped, kFailed };

struct TrainingState {
  using OnlyNewest = void;
  RunStatus status = RunStatus::kNone;
  int iteration = 0, iterations = 0;
  double iterations_per_second = 0;
  double loss = 0;  // moving average
  size_t splats = 0;
  std::optional<double> psnr, ssim;  // held-out, latest
  double seconds = 0, seconds_left = 0;
  std::vector<splat::HistoryEntry> history;
  std::vector<std::array<float, 2>> speed;  // (iteration, iterations per second)
  uint64_t memory_bytes = 0, memory_available_bytes = 0;
  std::string backend, device, reason;
  std::filesystem::path output, last_checkpoint;
  std::optional<Continuation> continuation;  // of a run that has ended
  std::string sentence;                      // the reason of a failure, or the latest event
  uint64_t seed = 0;
  int sh_degree = splat::kMaxShDegree;  // that the run reaches
  double view_share = 0;                // of the run's time that live pictures took, 0..1

  bool active() const { return status == RunStatus::kPreparing || live(); }   // preparing, running, paused or stopping
  bool live() const { return trains_now() || status == RunStatus::kPaused; }  // the picture is the run's
  // Running or stopping: only what the run's own model shows can be drawn.
  bool trains_now() const { return status == RunStatus::kRunning || status == RunStatus::kStopping; }
  bool ended() const {
    return status == RunStatus::kFinished || status == RunStatus::kStopped || status == RunStatus::kFailed;
  }
};

}  // namespace viewer
