// How long work of an uncertain length still takes, out of estimates that leap: what is said runs down as a clock does,
// drifts towards what is estimated and rises slowly; the share that is done never falls. Seconds.
#pragma once

#include <algorithm>
#include <cmath>

namespace splat {

class SteadyRest {
 public:
  // at: since the beginning of the work, rising; rest: estimated now.
  void update(double at, double rest) {
    constexpr double kDrift = 15, kMostRise = 0.1;  // s; of what was said, a second
    const double passed = std::max(at - at_, 0.0), expected = std::max(rest_ - passed, 0.0);
    const double drifted = expected + (rest - expected) * (1 - std::exp(-passed / kDrift));
    rest_ = begun_ ? std::min(drifted, rest_ + passed * (1 + kMostRise * rest_)) : rest;
    begun_ = true;
    at_ = std::max(at_, at);
    if (at_ + rest_ > 0) share_ = std::max(share_, at_ / (at_ + rest_));
  }
  double rest() const { return rest_; }
  double share() const { return share_; }  // of the time that all of it takes, [0,1]

 private:
  bool begun_ = false;
  double at_ = 0, rest_ = 0, share_ = 0;
};

}  // namespace splat
