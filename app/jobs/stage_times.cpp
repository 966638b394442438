#include "app/jobs/stage_times.h"

namespace app {

void StageTimes::stage(const std::string& name) {
  end();
  name_ = name;
  began_ = Clock::now();
  watcher_.stage(name);
}

void StageTimes::predicted(const Prediction& prediction) {
  prediction_ = prediction;
  watcher_.predicted(prediction);
}

void StageTimes::end() {
  if (!name_.empty()) finished_.emplace_back(name_, seconds_of_present());
  name_.clear();
}

double StageTimes::seconds() const {
  double sum = 0;
  for (const auto& [name, seconds] : finished_) sum += seconds;
  return sum;
}

}  // namespace app
