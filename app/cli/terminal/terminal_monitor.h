// A job on a terminal: its stages and its progress in one line, its results on stdout. Ctrl-C ends it (interrupt.h).
#pragma once

#include <chrono>
#include <string>

#include "app/cli/terminal/status_line.h"
#include "app/jobs/job.h"
#include "app/settings/options.h"

namespace app {

std::string with_time_left(const Progress& now);  // its sentence, "  ETA 40 s"

class TerminalMonitor final : public Monitor {
 public:
  explicit TerminalMonitor(const ConsoleOptions& console, bool tells_stages = true);  // with --json
  ~TerminalMonitor() override { line_.clear(); }

  void stage(const std::string& name) override;   // with --json a line {type: stage, name}
  void step(size_t done, size_t total) override;  // and how long is left of it, at its pace so far
  void reading(size_t done, size_t total) override;
  void progress(const Progress& now) override;
  void predicted(const Prediction& prediction) override;
  void result(const nlohmann::json& facts, const std::string& text) override;
  bool cancelled() override;

 private:
  using Clock = std::chrono::steady_clock;
  void clear();  // before something else is printed

  DisplayMode mode_;
  bool tells_stages_;
  StatusLine line_;
  std::string name_;  // of the present stage
  Clock::time_point began_, shown_;
  Clock::time_point next_;  // that progress is shown
  bool memory_said_ = false;
};

}  // namespace app
