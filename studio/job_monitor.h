// A job in the window's box of work in progress (jobs.h): what it does, how far it is and how long it takes.
#pragma once

#include <chrono>
#include <string>

#include "app/jobs/job.h"
#include "studio/jobs.h"
#include "studio/names.h"

namespace studio {

class JobMonitor final : public Monitor {
 public:
  // if_closed: what the window says is lost then. counted: what the steps are, "pictures": their number is shown and
  // the time that they take; empty: the text has the part of each stage, the bar that of the predicted time.
  JobMonitor(Job& job, std::string if_closed, std::string counted = "")
      : job_(job), if_closed_(std::move(if_closed)), counted_(std::move(counted)) {}

  void stage(const std::string& name) override;
  void step(size_t done, size_t total) override;
  void reading(size_t done, size_t total) override;
  void progress(const Progress& progress) override;
  void predicted(const Prediction& prediction) override;
  bool cancelled() override { return job_.watch.cancelled; }

 private:
  using Clock = std::chrono::steady_clock;
  void say(const std::string& part);
  void say_counted(size_t done, size_t total);

  Job& job_;
  const std::string if_closed_, counted_;
  std::string stage_;
  Prediction prediction_;
  Clock::time_point since_{};  // the prediction; of what is counted, since the first step
  float fraction_ = -1;        // never runs back
};

}  // namespace studio
