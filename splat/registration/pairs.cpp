#include "splat/registration/pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "splat/core/vectors.h"
#include "splat/math/symmetric_eigen.h"

namespace splat::registration {
namespace {

using Vector = std::array<double, 3>;

constexpr double kLeastGap = 1e-6;  // between the two largest eigenvalues: points a thousandth as wide as long

bool all_finite(std::span<const PointPair> pairs) {
  return std::all_of(pairs.begin(), pairs.end(), [](const PointPair& pair) {
    return std::isfinite(dot(pair.from, pair.from)) && std::isfinite(dot(pair.to, pair.to));
  });
}

// Horn's matrix of the sums s[i][j] of from[i] * to[j] about the centres.
math::SymmetricMatrix<4> horn_matrix(const std::array<Vector, 3>& s) {
  const double trace = s[0][0] + s[1][1] + s[2][2];
  math::SymmetricMatrix<4> n{};
  n[0][0] = trace;
  n[0][1] = s[1][2] - s[2][1], n[0][2] = s[2][0] - s[0][2], n[0][3] = s[0][1] - s[1][0];
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) n[i + 1][j + 1] = s[i][j] + s[j][i] - (i == j ? trace : 0);
    n[i + 1][0] = n[0][i + 1];
  }
  return n;
}

}  // namespace

Result<PairFit> fit_pairs(std::span<const PointPair> pairs, bool with_scale) {
  if (pairs.size() < 3) return Error{"three pairs of points are needed, and there are " + std::to_string(pairs.size())};
  if (!all_finite(pairs)) return Error{"a point of the pairs is not finite"};
  Vector from_centre{}, to_centre{};
  for (const PointPair& pair : pairs)
    for (size_t c = 0; c < 3; ++c) {
      from_centre[c] += pair.from[c] / double(pairs.size());
      to_centre[c] += pair.to[c] / double(pairs.size());
    }
  std::array<Vector, 3> sums{};
  double from_squared = 0;
  for (const PointPair& pair : pairs) {
    const Vector a = pair.from - from_centre, b = pair.to - to_centre;
    for (size_t i = 0; i < 3; ++i)
      for (size_t j = 0; j < 3; ++j) sums[i][j] += a[i] * b[j];
    from_squared += dot(a, a);
  }
  const auto eigen = math::symmetric_eigen(horn_matrix(sums));
  if (!(eigen.values[0] > 0) || eigen.values[0] - eigen.values[1] < kLeastGap * eigen.values[0])
    return Error{"the points of the pairs lie on a line: choose one beside it"};
  const std::array<double, 4>& q = eigen.vectors[0];
  PairFit fit;
  fit.to_from.rotation = {q[0], q[1], q[2], q[3]};
  if (with_scale) {
    double along = 0;
    for (const PointPair& pair : pairs) along += dot(pair.to - to_centre, fit.to_from.turned(pair.from - from_centre));
    fit.to_from.scale = along / from_squared;
  }
  fit.to_from.translation = to_centre - fit.to_from * from_centre;
  double squared = 0;
  for (const PointPair& pair : pairs) {
    const Vector off = fit.to_from * pair.from - pair.to;
    squared += dot(off, off);
  }
  fit.rms = std::sqrt(squared / double(pairs.size()));
  return fit;
}

}  // namespace splat::registration
