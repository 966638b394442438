// The runs that were made of a dataset, as their folders say.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "splat/train/progress.h"

namespace viewer {

// A run that can go on.
struct Continuation {
  std::filesystem::path checkpoint, output;  // output: the run's folder
  int iteration = 0;                         // of the checkpoint
  int iterations = 0;                        // that the run was to have
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
  std::filesystem::path dataset;
  std::vector<PastRun> runs;  // newest first
};

}  // namespace viewer
