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

namespace viewer {

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
};

// ---- reports

// What a run with these choices is expected to take.
struct RunPrediction {
  using OnlyNewest = void;
  TrainingChoices choices;
  double seconds = 0;  // of training
  uint64_t splats = 0, memory_bytes = 0, result_bytes = 0;
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

struct PastRun {
  std::filesystem::path folder, file;  // file: its newest splats, else its newest checkpoint; empty: it has neither
  int64_t written = 0;                 // seconds since 1970
  // From metrics.json, which a run has from its end on, else from its newest checkpoint; none: it has neither.
  std::optional<int> iterations;
  std::optional<Continuation> stopped;  // it has a checkpoint from before its end, and nobody works on it now
  double seconds = 0;                   // of training
  uint64_t splats = 0;
  std::optional<double> psnr, ssim;  // of the held-out photos
  std::vector<splat::HistoryEntry> history;
  std::map<std::string, std::string> differs;  // by name: the settings that not all runs of the list have alike
};

struct RunHistory {
  using OnlyNewest = void;
  std::filesystem::path dataset;
  std::vector<PastRun> runs;  // newest first
};

}  // namespace viewer
