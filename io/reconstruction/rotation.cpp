#include "io/reconstruction/rotation.h"

#include <algorithm>
#include <cmath>

namespace io {

namespace {
using Matrix = std::array<double, 9>;

// det(m) * inverse(m)^T; for a rotation it is the rotation itself.
Matrix cofactors(const Matrix& m) {
  return {m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6],
          m[2] * m[7] - m[1] * m[8], m[0] * m[8] - m[2] * m[6], m[1] * m[6] - m[0] * m[7],
          m[1] * m[5] - m[2] * m[4], m[2] * m[3] - m[0] * m[5], m[0] * m[4] - m[1] * m[3]};
}
double determinant(const Matrix& m, const Matrix& c) { return m[0] * c[0] + m[1] * c[1] + m[2] * c[2]; }
}  // namespace

std::optional<Matrix> nearest_rotation(const Matrix& m) {
  constexpr double kSmallestScale = 1e-6, kLargestDeviation = 0.01;
  const double scale = std::cbrt(determinant(m, cofactors(m)));
  if (!(scale > kSmallestScale) || !std::isfinite(scale)) return std::nullopt;
  Matrix start = m;
  for (double& value : start) value /= scale;
  // Newton's iteration for the polar decomposition: X <- (X + X^-T) / 2 (Higham 1986); quadratic from here.
  Matrix x = start;
  for (int i = 0; i < 8; ++i) {
    const Matrix c = cofactors(x);
    const double det = determinant(x, c);
    if (!(det > 0.1)) return std::nullopt;
    for (size_t k = 0; k < 9; ++k) x[k] = 0.5 * (x[k] + c[k] / det);
  }
  for (size_t k = 0; k < 9; ++k)
    if (!(std::abs(x[k] - start[k]) <= kLargestDeviation)) return std::nullopt;
  return x;
}

}  // namespace io
