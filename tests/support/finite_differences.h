// Derivatives by central differences in double, to check adjoints against: four points, error O(h^4).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace splat::test {

// df/dx_i of f(std::vector<double>) -> double for every i; the step is `step` times max(|x_i|, 1).
template <class Function>
std::vector<double> central_differences(const Function& f, std::vector<double> x, double step = 1e-4) {
  std::vector<double> gradient(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double centre = x[i], h = step * std::max(1.0, std::abs(centre));
    auto at = [&](double offset) {
      x[i] = centre + offset * h;
      return f(x);
    };
    gradient[i] = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h);
    x[i] = centre;
  }
  return gradient;
}

// Every entry agrees to `tolerance` times the largest entry.
inline void expect_gradients_near(const std::vector<double>& analytic, const std::vector<double>& numeric,
                                  double tolerance = 1e-6) {
  ASSERT_EQ(analytic.size(), numeric.size());
  double largest = 1e-12;
  for (double value : numeric) largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < numeric.size(); ++i)
    EXPECT_NEAR(analytic[i], numeric[i], tolerance * largest) << "entry " << i << " of " << numeric.size();
}

}  // namespace splat::test
