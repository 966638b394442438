#include "splat/core/random.h"

#include <cmath>

namespace splat::random {

float Sequence::normal() {
  const double u = (double(next()) + 1.0) / 4294967297.0;  // (0,1)
  const double v = double(next()) / 4294967296.0;
  return float(std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v));
}

}  // namespace splat::random
