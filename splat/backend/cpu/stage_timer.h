// Writes down what a stage took when it goes out of scope.
#pragma once

#include <time.h>

#include <chrono>

#include "splat/backend/cpu/cpu_backend.h"

namespace splat::cpu {

inline double process_cpu_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

class StageTimer {
 public:
  explicit StageTimer(StageDuration& out) : out_(out) {}
  ~StageTimer() {
    out_.wall_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - wall_).count();
    out_.cpu_ms = process_cpu_ms() - cpu_;
  }

 private:
  StageDuration& out_;
  std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
  double cpu_ = process_cpu_ms();
};

}  // namespace splat::cpu
