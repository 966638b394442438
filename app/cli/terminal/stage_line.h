// The stages of a command that does not train: one status line with what is left of the present stage, and how long
// each of them took.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/terminal/status_line.h"

namespace app {

class StageLine {
 public:
  explicit StageLine(DisplayMode mode) : mode_(mode), line_(mode) {}

  // Ends the stage before it. With --json a line {type: stage, name}.
  void begin(const std::string& name);
  // Progress of the present stage; shows how long is left of it at its pace so far. Cheap.
  void step(size_t done, size_t total);
  void end();

  const std::vector<std::pair<std::string, double>>& finished() const { return finished_; }  // name, s
  double seconds() const;                                                                    // of all that are finished
  double seconds_of_present() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  DisplayMode mode_;
  StatusLine line_;
  std::string name_;  // of the present stage; empty: none
  Clock::time_point began_, shown_;
  std::vector<std::pair<std::string, double>> finished_;
};

}  // namespace app
