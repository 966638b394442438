// What may take a share of another thing's time: allowed while less was spent than the share, and a reserve, come to.
#pragma once

#include <algorithm>
#include <chrono>

namespace app {

class CostLimit {
 public:
  using Clock = std::chrono::steady_clock;
  // Begins with the whole reserve, and holds no more of it (s).
  CostLimit(double share, double reserve) : share_(share), reserve_(reserve), credit_(reserve) {}

  bool allows(Clock::time_point now) {
    if (last_ != Clock::time_point{})
      credit_ = std::min(reserve_, credit_ + share_ * std::chrono::duration<double>(now - last_).count());
    last_ = now;
    return credit_ > 0;
  }
  void spent(double seconds) { credit_ -= seconds; }

 private:
  const double share_, reserve_;
  double credit_;
  Clock::time_point last_{};
};

}  // namespace app
