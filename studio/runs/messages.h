// Training runs: what one is to be, its start and end, what it is expected to take, and the runs there were.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "splat/train/progress.h"
#include "studio/documents/run_state.h"

namespace studio {

// ---- requests

struct PauseTraining {};
struct ResumeTraining {};
struct StopTraining {
  bool save_checkpoint = true;
};
struct SaveCheckpoint {};
struct WantRunPreview {  // of the dataset, with these choices; answered by a RunPreview
  TrainingChoices choices;
};
struct WantRunPrediction {  // likewise; answered by a RunPrediction unless a run begins or another one is wanted
  TrainingChoices choices;
};
struct WantCommandLine {  // of a run with these choices; answered by a CommandLine
  TrainingChoices choices;
};
struct WantRunHistory {  // of the dataset that is open, or of the splats' run; answered by a RunHistory
  std::vector<std::filesystem::path> recent;  // other places where runs may be
  bool all = false;                           // of every dataset; always so where nothing is open
};

// ---- reports

// What a run with these choices is expected to take.
struct RunPrediction {
  using OnlyNewest = void;
  TrainingChoices choices;
  double seconds = 0;  // of training
  uint64_t splats = 0, memory_bytes = 0, result_bytes = 0;
  bool fits = true;     // memory does not keep it from having more splats
  std::string problem;  // why nothing can be predicted; empty: the figures stand
};

struct CommandLine {
  using OnlyNewest = void;
  std::string text;
};

// Training was not started, since its output folder holds a run already.
struct OutputTaken {
  using OnlyNewest = void;
  std::filesystem::path output, free;  // free: a folder that is not taken
  TrainingChoices choices;
};

enum class PastRunState { kTrains, kStopped, kDone, kNoResult };  // of the last: it has ended before its first one

struct PastRun {
  std::filesystem::path folder, file;  // file: its newest splats, else its newest checkpoint; empty: it has neither
  std::filesystem::path dataset;
  PastRunState state = PastRunState::kNoResult;
  int64_t written = 0;  // seconds since 1970
  // From metrics.json, which a run has from its end on, else from its newest checkpoint; none: it has neither.
  std::optional<int> iterations;
  std::optional<Continuation> stopped;  // it has a checkpoint from before its end, and nobody works on it now
  double seconds = 0;                   // of training
  uint64_t splats = 0;
  std::optional<double> psnr, ssim;  // of the held-out photos
  std::vector<splat::HistoryEntry> history;
  // By name: the settings that not all runs of the list have alike; of an OpenedRun those that are not the usual ones.
  std::map<std::string, std::string> differs;
};

struct RunHistory {
  using OnlyNewest = void;
  std::filesystem::path dataset;
  std::vector<PastRun> runs;                   // newest first
  std::map<std::string, size_t> newest_there;  // by `recent` as asked for: the run in that place, else the dataset's
  bool all = false;                            // of every dataset
};

// The run that the splats which are open come from.
struct OpenedRun {
  using OnlyNewest = void;
  std::filesystem::path splats;  // OpenedSplats::path
  int iteration = -1;            // that they are of; -1: not known
  PastRun run;
};

}  // namespace studio
