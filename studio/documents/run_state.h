// A training run as the window knows it: what one is to be, its state now, and how one that has ended can go on.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/settings/options.h"
#include "splat/model/box.h"
#include "splat/model/gaussians.h"
#include "splat/model/screen_filter.h"
#include "splat/train/progress.h"
#include "studio/names.h"

namespace studio {

// A run as it is asked for: the settings of the command line, with fewer iterations and with photos held out where
// nobody has chosen, since a first run in the window is to be seen to its end.
struct TrainingChoices : RunSettings {
  TrainingChoices();

  std::filesystem::path output;  // folder; empty: OpenedDataset::suggested_output
  // Photos that it neither trains on nor holds out, by name; none: as the checkpoint has it.
  std::optional<std::vector<std::string>> left_out;
  std::map<std::string, std::string> fine;  // typed into the list of all settings: {"densify-until", "4000"}; flags: ""

  bool has_region() const { return !train.region.empty(); }

  friend bool operator==(const TrainingChoices&, const TrainingChoices&) = default;
};

// On the dataset opened last; with choices.resume also on the photos of the opened splats. Where the output folder
// holds a run it answers by an OutputTaken, unless that run is resumed or to be replaced.
struct StartTraining {
  TrainingChoices choices;
  bool replace = false;
  bool ends_work() const { return !choices.resume.empty(); }  // it may open its photos
};

// A run that can go on.
struct Continuation {
  std::filesystem::path checkpoint, output;  // output: the run's folder
  int iteration = 0;                         // of the checkpoint
  int iterations = 0;                        // that the run was to have
};

// What a run with other choices would find; also what the run that has begun holds out.
struct RunPreview {
  using OnlyNewest = void;
  std::vector<std::string> held_out;  // names of cameras
  std::vector<std::string> lines;     // as OpenedDataset::preflight; none: as before
  std::string refused;                // why such a run cannot start; then there is nothing else
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
  int kept = -1;                             // the iteration of last_checkpoint; -1: there is none yet
  std::optional<Continuation> continuation;  // of a run that has ended
  std::string sentence;                      // the reason of a failure, or the latest event
  uint64_t seed = 0;
  int sh_degree = splat::kMaxShDegree;  // that the run reaches
  splat::ScreenFilter filter;           // that it trains for
  double view_share = 0;                // of the run's time that live pictures took, 0..1

  bool active() const { return status == RunStatus::kPreparing || live(); }   // preparing, running, paused or stopping
  bool live() const { return trains_now() || status == RunStatus::kPaused; }  // the picture is the run's
  // Running or stopping: only what the run's own model shows can be drawn.
  bool trains_now() const { return status == RunStatus::kRunning || status == RunStatus::kStopping; }
  bool ended() const {
    return status == RunStatus::kFinished || status == RunStatus::kStopped || status == RunStatus::kFailed;
  }
  bool never_began() const { return ended() && iteration == 0; }  // nothing of it is to be seen
  bool may_begin() const { return status == RunStatus::kNone || never_began(); }
};

}  // namespace studio
