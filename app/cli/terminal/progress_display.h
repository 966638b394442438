// Progress of training: a bar on a terminal, a plain line now and then elsewhere, objects on stdout with --json.
// The bar and the lines go to stderr; stdout carries results only.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "app/cli/terminal/status_line.h"
#include "app/jobs/training/run_record.h"

namespace app {

struct ProgressNow {
  int iteration = 0, iterations = 0;
  double iterations_per_second = 0;
  double loss = 0;  // smoothed
  size_t splats = 0;
  std::optional<double> psnr;  // of the latest evaluation, dB
  double seconds = 0;          // since training began
  double seconds_left = 0;     // 0: not known yet
};

// "  1200/30000 ..." as one line without newline; `columns` is the width that may be used.
std::string progress_bar(const ProgressNow& now, int columns);
std::string progress_sentence(const ProgressNow& now);

class ProgressDisplay {
 public:
  explicit ProgressDisplay(DisplayMode mode);

  bool due() const;                     // whether an update would be shown now; cheap, called every iteration
  void update(const ProgressNow& now);  // shows it
  void evaluated(const splat::HistoryEntry& entry);
  void clear() { line_.clear(); }  // before something else is printed on the terminal

 private:
  using Clock = std::chrono::steady_clock;
  DisplayMode mode_;
  StatusLine line_;
  Clock::time_point next_;
};

}  // namespace app
