#include "splat/model/focus_point.h"

#include <cmath>

namespace splat {

// sum_i (I - d d^T) (x - o) = 0, by Cramer's rule.
std::array<double, 3> focus_point(std::span<const Rigid3> cams_from_world, double fallback_distance) {
  const double count = double(cams_from_world.size());
  double a[3][3] = {}, b[3] = {};
  std::array<double, 3> ahead{};
  for (const Rigid3& pose : cams_from_world) {
    const std::array<double, 3> origin = pose.origin_in_source(),
                                direction{pose.rotation[6], pose.rotation[7], pose.rotation[8]};
    for (size_t r = 0; r < 3; ++r) {
      ahead[r] += (origin[r] + fallback_distance * direction[r]) / count;
      for (size_t c = 0; c < 3; ++c) {
        const double projector = ((r == c) - direction[r] * direction[c]) / count;
        a[r][c] += projector;
        b[r] += projector * origin[c];
      }
    }
  }
  auto determinant = [](const double(&m)[3][3]) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  };
  const double whole = determinant(a);
  constexpr double kParallel = 1e-3;  // the determinant is about the mean squared angle between the axes
  if (!(whole > kParallel)) return ahead;
  std::array<double, 3> focus{};
  for (size_t column = 0; column < 3; ++column) {
    double replaced[3][3];
    for (size_t r = 0; r < 3; ++r)
      for (size_t c = 0; c < 3; ++c) replaced[r][c] = c == column ? b[r] : a[r][c];
    focus[column] = determinant(replaced) / whole;
  }
  return focus;
}

double mean_distance(std::span<const Rigid3> cams_from_world, const std::array<double, 3>& point) {
  double sum = 0;
  for (const Rigid3& pose : cams_from_world) {
    const std::array<double, 3> origin = pose.origin_in_source();
    sum +=
        std::hypot(origin[0] - point[0], origin[1] - point[1], origin[2] - point[2]) / double(cams_from_world.size());
  }
  return sum;
}

}  // namespace splat
