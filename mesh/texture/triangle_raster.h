// Rasterizes a triangle.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace mesh {

using Point2 = std::array<float, 2>;  // px; the centre of the top-left pixel is (0.5, 0.5)

// visit(x, y, a, b, c) for each pixel of a width x height picture whose centre lies in the triangle or on its border,
// row by row; a, b, c are the corners' shares of it, which sum to 1. A triangle of either orientation; without area:
// nothing.
template <class Visit>
void for_each_covered(const std::array<Point2, 3>& corner, int width, int height, Visit&& visit) {
  const auto& [p, q, r] = corner;
  const double area = (double(q[0]) - p[0]) * (double(r[1]) - p[1]) - (double(r[0]) - p[0]) * (double(q[1]) - p[1]);
  if (!(std::abs(area) > 0) || !std::isfinite(area)) return;
  const auto first = [](float low) { return int(std::ceil(std::max(low, -1.0f) - 0.5f)); };
  const auto last = [](float high, int side) { return int(std::floor(std::min(high, float(side)) - 0.5f)); };
  const int x0 = std::max(first(std::min({p[0], q[0], r[0]})), 0),
            y0 = std::max(first(std::min({p[1], q[1], r[1]})), 0);
  const int x1 = std::min(last(std::max({p[0], q[0], r[0]}), width), width - 1);
  const int y1 = std::min(last(std::max({p[1], q[1], r[1]}), height), height - 1);
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const double u = x + 0.5, v = y + 0.5;
      const double a = ((q[0] - u) * (r[1] - v) - (r[0] - u) * (q[1] - v)) / area;
      const double b = ((r[0] - u) * (p[1] - v) - (p[0] - u) * (r[1] - v)) / area;
      const double c = 1 - a - b;
      if (a >= 0 && b >= 0 && c >= 0) visit(x, y, float(a), float(b), float(c));
    }
}

}  // namespace mesh
