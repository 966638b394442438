// Rasterizes a triangle by itself, whatever others cover: bounds and edges of splat/math, as the rasteriser of
// pictures.
#pragma once

#include <array>

#include "splat/math/screen_triangle.h"

namespace mesh {

using Point2 = std::array<float, 2>;  // px; the centre of the top-left pixel is (0.5, 0.5)

// visit(x, y, a, b, c) for each pixel of a width x height picture whose centre lies in the triangle or on its border,
// row by row; a, b, c are the corners' shares of it, which sum to 1. A triangle of either orientation; without area:
// nothing.
template <class Visit>
void for_each_covered(const std::array<Point2, 3>& corner, int width, int height, Visit&& visit) {
  splat::math::ScreenCorner corners[3];
  for (size_t k = 0; k < 3; ++k) corners[k] = {corner[k][0], corner[k][1], 0, 1};
  const auto triangle = splat::math::screen_triangle(corners, -1, {width, height});
  for (int y = triangle.y0; y <= triangle.y1; ++y)
    for (int x = triangle.x0; x <= triangle.x1; ++x) {
      const auto edge = [&](int k) { return splat::math::plane_at(triangle.edge[k], x + 0.5, y + 0.5); };
      const double a = edge(0), b = edge(1), c = edge(2), sum = a + b + c;
      if (a >= 0 && b >= 0 && c >= 0) visit(x, y, float(a / sum), float(b / sum), float(c / sum));
    }
}

}  // namespace mesh
