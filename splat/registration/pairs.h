// The motion that lays points on others, from pairs of them, in the sense of least squares: its rotation by unit
// quaternions (Horn, "Closed-form solution of absolute orientation using unit quaternions", 1987), which is never a
// reflection, its scale as in Umeyama, "Least-squares estimation of transformation parameters between two point
// patterns", 1991.
#pragma once

#include <array>
#include <span>

#include "splat/core/result.h"
#include "splat/model/transform.h"

namespace splat::registration {

struct PointPair {
  std::array<double, 3> from{}, to{};  // world units
};

struct PairFit {
  Similarity to_from;
  double rms = 0;  // distance between to_from * from and to, world units
};

// without scale: rigid. An error: fewer than three pairs, points that are not finite, or that lie on a line.
Result<PairFit> fit_pairs(std::span<const PointPair> pairs, bool with_scale);

}  // namespace splat::registration
