// Keeps what a job says, for its summary: how long each stage took and what was predicted, and passes it on.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "app/jobs/job.h"

namespace app {

class StageTimes final : public Monitor {
 public:
  explicit StageTimes(Monitor& watcher) : watcher_(watcher) {}

  void stage(const std::string& name) override;
  void step(size_t done, size_t total) override { watcher_.step(done, total); }
  void reading(size_t done, size_t total) override { watcher_.reading(done, total); }
  void progress(const Progress& now) override { watcher_.progress(now); }
  void predicted(const Prediction& prediction) override;
  void result(const nlohmann::json& facts, const std::string& text) override { watcher_.result(facts, text); }
  bool cancelled() override { return watcher_.cancelled(); }

  void end();                                                                                // of the last stage
  const std::vector<std::pair<std::string, double>>& finished() const { return finished_; }  // name, s
  double seconds() const;                                                                    // of all that are finished
  double seconds_of_present() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
  const Prediction& prediction() const { return prediction_; }  // the latest

 private:
  using Clock = std::chrono::steady_clock;
  Monitor& watcher_;
  std::string name_;  // of the present stage; empty: none
  Clock::time_point began_;
  std::vector<std::pair<std::string, double>> finished_;
  Prediction prediction_;
};

}  // namespace app
