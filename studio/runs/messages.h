// Training runs: what one is to be, its start and end, what it is expected to take, and the runs there were.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "splat/model/box.h"
#include "splat/train/progress.h"
#include "studio/documents/run_state.h"

namespace viewer {

// The settings of a run that the training panel shows; a test compares their defaults with those of the command line.
struct TrainingChoices {
  int iterations = 7000;
  int resolution = 0;       // 1..8: divisor; more: longest side, px; 0: full size up to 1600 px
  uint64_t max_splats = 0;  // 0: as many as the photos have pixels for
  int sh_degree = 3;
  bool hold_out = true;  // keep every test_every-th photo for PSNR, SSIM and FLIP
  int test_every = 8;
  uint64_t seed = 0;
  std::array<float, 3> background{0, 0, 0};  // [0,1]
  bool random_background = false;
  bool antialias = false;
  std::string backend = "auto";      // "auto", "cpu", "hip", "cuda"
  int device = -1;                   // -1: the best
  int checkpoint_every = 5000;       // iterations; 0: only on request
  std::filesystem::path output;      // folder; empty: OpenedDataset::suggested_output
  std::filesystem::path resume;      // a checkpoint of this dataset to go on from; empty: from the start
  std::optional<splat::Box> region;  // what lies outside of it is not in the result; none: everything
  // Photos that it neither trains on nor holds out, by name; none: as the checkpoint has it.
  std::optional<std::vector<std::string>> leave_out;
  std::map<std::string, std::string> fine;  // any other option by its name: {"densify-until", "4000"}; flags: ""

  friend bool operator==(const TrainingChoices&, const TrainingChoices&) = default;
};

// ---- requests

// On the dataset opened last; with choices.resume also on the photos of the opened splats. Where the output folder
// holds a run it answers by an OutputTaken, unless that run is resumed or to be replaced.
struct StartTraining {
  TrainingChoices choices;
  bool replace = false;
};
struct PauseTraining {};
struct ResumeTraining {};
struct StopTraining {
  bool save_checkpoint = true;
};
struct SaveCheckpoint {};
struct PublishModel {};  // the model of the run as it is now comes as OpenedSplats; it does so by itself at the end
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

// What a run with other choices would find; also what the run that has begun holds out.
struct RunPreview {
  using OnlyNewest = void;
  std::vector<std::string> held_out;  // names of cameras
  std::vector<std::string> lines;     // as OpenedDataset::preflight; none: as before
  std::string refused;                // why such a run cannot start; then there is nothing else
};

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
