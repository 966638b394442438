#include "tests/quality/shapes/shape.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace shapes {
namespace {

using Corner = std::array<double, 2>;

// Of a polygon, corners counter-clockwise.
double to_polygon(const std::vector<Corner>& corners, double x, double y) {
  double nearest = 1e30;
  bool inside = false;
  for (size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const Corner &a = corners[j], &b = corners[i];
    const double ex = b[0] - a[0], ey = b[1] - a[1], px = x - a[0], py = y - a[1];
    const double t = std::clamp((px * ex + py * ey) / (ex * ex + ey * ey), 0.0, 1.0);
    nearest = std::min(nearest, std::hypot(px - t * ex, py - t * ey));
    if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside ? -nearest : nearest;
}

// Of a polygon in x and y, drawn out to |z| = half.
double to_prism(const std::vector<Corner>& corners, double half, const Point& p) {
  const double across = to_polygon(corners, p[0], p[1]), along = std::abs(p[2]) - half;
  return std::min(std::max(across, along), 0.0) + std::hypot(std::max(across, 0.0), std::max(along, 0.0));
}

// Four steps up along x; y points down, as in the photos.
std::vector<Corner> stairs() {
  std::vector<Corner> corners{{-0.9, 0.6}, {0.9, 0.6}};
  for (int step = 3; step >= 0; --step) {
    const double height = 0.6 - 0.3 * (step + 1);
    corners.push_back({-0.9 + 0.45 * (step + 1), height});
    corners.push_back({-0.9 + 0.45 * step, height});
  }
  return corners;
}

double hash(int64_t x, int64_t y, int64_t z) {
  uint64_t h =
      uint64_t(x) * 0x9e3779b97f4a7c15u ^ uint64_t(y) * 0xc2b2ae3d27d4eb4fu ^ uint64_t(z) * 0x165667b19e3779f9u;
  h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9u;
  h = (h ^ h >> 29) * 0x94d049bb133111ebu;
  return double((h ^ h >> 32) & 0xffffff) / double(0xffffff);
}

double noise(const Point& p) {
  int64_t cell[3];
  double t[3];
  for (size_t k = 0; k < 3; ++k) {
    cell[k] = int64_t(std::floor(p[k]));
    t[k] = p[k] - double(cell[k]);
    t[k] = t[k] * t[k] * (3 - 2 * t[k]);
  }
  double sum = 0;
  for (int c = 0; c < 8; ++c)
    sum += (c & 1 ? t[0] : 1 - t[0]) * (c & 2 ? t[1] : 1 - t[1]) * (c & 4 ? t[2] : 1 - t[2]) *
           hash(cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2));
  return sum;
}

}  // namespace

double norm(const Point& p) { return std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]); }

double Shape::diagonal() const { return norm({high[0] - low[0], high[1] - low[1], high[2] - low[2]}); }

Point Shape::normal(const Point& at) const {
  constexpr double kStep = 1e-5;
  Point g;
  for (size_t k = 0; k < 3; ++k) {
    Point a = at, b = at;
    a[k] -= kStep, b[k] += kStep;
    g[k] = distance(b) - distance(a);
  }
  const double size = norm(g);
  for (double& v : g) v /= size;
  return g;
}

const std::vector<Shape>& all_shapes() {
  static const std::vector<Corner> kBox{{-0.9, -0.6}, {0.9, -0.6}, {0.9, 0.6}, {-0.9, 0.6}}, kStairs = stairs();
  static const std::vector<Shape> shapes{
      {"sphere", [](const Point& p) { return norm(p) - 1; }, {-1, -1, -1}, {1, 1, 1}},
      {"torus",
       [](const Point& p) { return std::hypot(std::hypot(p[0], p[2]) - 0.8, p[1]) - 0.35; },
       {-1.15, -0.35, -1.15},
       {1.15, 0.35, 1.15}},
      {"box", [](const Point& p) { return to_prism(kBox, 0.75, p); }, {-0.9, -0.6, -0.75}, {0.9, 0.6, 0.75}},
      {"stairs", [](const Point& p) { return to_prism(kStairs, 0.7, p); }, {-0.9, -0.6, -0.7}, {0.9, 0.6, 0.7}}};
  return shapes;
}

const Shape* find_shape(const std::string& name) {
  for (const Shape& shape : all_shapes())
    if (shape.name == name) return &shape;
  return nullptr;
}

Point painted(const Shape& shape, const Point& at) {
  Point colour;
  for (size_t c = 0; c < 3; ++c) {
    double value = 0;
    for (const double scale : {3.0, 7.0, 17.0, 41.0})
      value += noise({scale * at[0] + 31 * double(c), scale * at[1], scale * at[2]}) * (scale == 3.0 ? 0.4 : 0.2);
    colour[c] = value;
  }
  int64_t squares = 0;
  for (size_t k = 0; k < 3; ++k) squares += int64_t(std::floor(4 * at[k] + 0.37));
  const Point n = shape.normal(at);
  const double light = (0.75 - 0.15 * n[1] + 0.1 * n[0]) * (squares & 1 ? 1 : 0.8);
  for (double& c : colour) c = std::clamp(0.2 + light * c, 0.0, 1.0);
  return colour;
}

std::vector<Point> points_on(const Shape& shape, size_t count) {
  std::mt19937_64 random(7);
  constexpr double kShell = 0.01;  // points this near are moved onto the surface
  std::vector<Point> points;
  while (points.size() < count) {
    Point p;
    for (size_t k = 0; k < 3; ++k) {
      const double from = shape.low[k] - kShell, to = shape.high[k] + kShell;
      p[k] = from + (to - from) * double(random() >> 11) * 0x1p-53;
    }
    double d = shape.distance(p);
    if (std::abs(d) > kShell) continue;
    for (int step = 0; step < 3; ++step) {
      const Point n = shape.normal(p);
      for (size_t k = 0; k < 3; ++k) p[k] -= d * n[k];
      d = shape.distance(p);
    }
    if (std::abs(d) < 1e-6) points.push_back(p);
  }
  return points;
}

}  // namespace shapes
