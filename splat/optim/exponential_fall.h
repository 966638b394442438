// How learning rates and weights of the loss fall over a run.
#pragma once

#include <cmath>

namespace splat {

// first at share 0, last at share 1, straight on a logarithmic scale between them. Both must be above 0.
inline double exponential_fall(double first, double last, double share) {
  return first * std::pow(last / first, share);
}

}  // namespace splat
