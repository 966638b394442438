// Cubic curves through values at knots: Hermite's form, and the tangents at the knots. V: a number or a vector.
// Catmull-Rom with knots of their own: Barry and Goldman 1988; slopes that do not overshoot: Fritsch and Butland 1984.
#pragma once

namespace splat::math {

// From a (t = 0) to b (t = 1) over an interval of length h, with derivatives m_a and m_b by the knots' parameter.
template <class V>
V hermite(const V& a, const V& b, const V& m_a, const V& m_b, double h, double t) {
  const double s = 1 - t;
  return s * s * (1 + 2 * t) * a + t * t * (3 - 2 * t) * b + h * t * s * (s * m_a + (-t) * m_b);
}

// The derivative at a knot between intervals of lengths h_a and h_b with mean slopes a and b: that of the parabola
// through the three points, which is Catmull-Rom's. Beside an interval of no length: the other's slope.
template <class V>
V knot_tangent(const V& a, const V& b, double h_a, double h_b) {
  if (!(h_a > 0)) return b;
  if (!(h_b > 0)) return a;
  return (h_b / (h_a + h_b)) * a + (h_a / (h_a + h_b)) * b;
}

// The same of numbers, so that the curve rises and falls only where they do.
inline double monotone_tangent(double a, double b, double h_a, double h_b) {
  if (!(a * b > 0)) return 0;
  return 3 * (h_a + h_b) / ((2 * h_b + h_a) / a + (h_b + 2 * h_a) / b);
}

}  // namespace splat::math
