// The newest snapshot of COLMAP's model, as a scene that can be opened, for showing progress.
#pragma once

#include "align/stages/job.h"

namespace align {

class ModelSoFar {
 public:
  explicit ModelSoFar(Job& job) : job_(job) {}
  // Reports a snapshot with more photos than the one before. One that COLMAP is still writing does not parse and is
  // taken the next time.
  void look();
  void tick();  // looks about once a second

 private:
  using Clock = std::chrono::steady_clock;
  Job& job_;
  size_t shown_ = 0;  // photos
  Clock::time_point last_ = Clock::now();
};

}  // namespace align
