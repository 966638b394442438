// Rasterizes a triangle.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "splat/math/triangle.h"

namespace mesh {

using Point2 = std::array<float, 2>;  // px; the centre of the top-left pixel is (0.5, 0.5)

// visit(x, y, a, b, c) for each pixel of a width x height picture whose centre lies in the triangle or on its border,
// row by row; a, b, c are the corners' shares of it, which sum to 1. A triangle of either orientation; without area:
// nothing.
template <class Visit>
void for_each_covered(const std::array<Point2, 3>& corner, int width, int height, Visit&& visit) {
  const auto& [p, q, r] = corner;
  const splat::math::Vec3<double> corners[3] = {{p[0], p[1], 1}, {q[0], q[1], 1}, {r[0], r[1], 1}};
  const auto triangle = splat::math::triangle_edges(corners);
  if (!(triangle.volume > 0) || !std::isfinite(triangle.volume)) return;
  const auto share = [&](int k, int x, int y) {
    const auto& edge = triangle.edge[k];
    return (edge.x * (x + 0.5) + edge.y * (y + 0.5) + edge.z) / triangle.volume;
  };
  const auto first = [](float low) { return int(std::ceil(std::max(low, -1.0f) - 0.5f)); };
  const auto last = [](float high, int side) { return int(std::floor(std::min(high, float(side)) - 0.5f)); };
  const int x0 = std::max(first(std::min({p[0], q[0], r[0]})), 0),
            y0 = std::max(first(std::min({p[1], q[1], r[1]})), 0);
  const int x1 = std::min(last(std::max({p[0], q[0], r[0]}), width), width - 1);
  const int y1 = std::min(last(std::max({p[1], q[1], r[1]}), height), height - 1);
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const double a = share(0, x, y), b = share(1, x, y), c = share(2, x, y);
      if (a >= 0 && b >= 0 && c >= 0) visit(x, y, float(a), float(b), float(c));
    }
}

}  // namespace mesh
