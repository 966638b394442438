// Seeded random values in double for tests.
#pragma once

#include <cmath>

#include "splat/core/random.h"
#include "splat/math/quat.h"

namespace splat::test {

class RandomValues {
 public:
  explicit RandomValues(uint64_t seed) : sequence_(seed, random::kTest) {}
  double uniform(double low, double high) { return low + (high - low) * double(sequence_.uniform()); }
  double normal() { return double(sequence_.normal()); }
  uint32_t below(uint32_t bound) { return sequence_.below(bound); }
  math::Vec3<double> vec3(double low, double high) {
    const double x = uniform(low, high), y = uniform(low, high);
    return {x, y, uniform(low, high)};
  }
  math::Vec3<double> unit() {
    const double z = uniform(-1, 1), angle = uniform(0, 2 * M_PI), r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }
  // Not normalised: length between 0.3 and 3.
  math::Quat<double> quat() {
    double q[4], norm2 = 0;
    for (double& value : q) {
      value = normal();
      norm2 += value * value;
    }
    const double scale = uniform(0.3, 3) / std::sqrt(norm2);
    return {scale * q[0], scale * q[1], scale * q[2], scale * q[3]};
  }

 private:
  random::Sequence sequence_;
};

}  // namespace splat::test
