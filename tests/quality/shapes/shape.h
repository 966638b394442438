// Shapes that formulas give exactly, to compare meshes with: their signed distance (world units, negative inside),
// which is exact everywhere, and a colour painted on them. All lie within 1.6 of the origin.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace shapes {

using Point = std::array<double, 3>;

struct Shape {
  std::string name;  // sphere, torus, box, stairs
  std::function<double(const Point&)> distance;
  Point low, high;  // its bounding box

  double diagonal() const;
  Point normal(const Point& at) const;  // unit, of the distance's gradient
};

const std::vector<Shape>& all_shapes();
const Shape* find_shape(const std::string& name);

// sRGB in [0,1]; noise and a pattern, lit evenly from above, the same from all sides.
Point painted(const Shape& shape, const Point& at);

// Points all over the surface, evenly but for chance; the same every time.
std::vector<Point> points_on(const Shape& shape, size_t count);

double norm(const Point& p);

}  // namespace shapes
