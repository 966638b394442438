// Lens distortion: the families that COLMAP's camera models fall into (splat/model/camera_models.h), on normalised
// coordinates (u, v) = (x/z, y/z).
//   distort(lens, u, v)            undistorted -> distorted, NaN where there is none; pixel = focal * distorted +
//   centre undistort(lens, x, y, &u, &v)  its inverse: Newton iteration, or in closed form; false where there is none
//   fold_radius(lens, limit)       how far from the axis the mapping is one to one
// Sources: COLMAP's documentation of its models (src/colmap/sensor/models.h), OpenCV's calib3d documentation; Kannala
// and Brandt 2006 (fisheye); Devernay and Faugeras 2001 (FOV); Fitzgibbon 2001 (division); Khomutenko, Garcia and
// Martinet 2016 (EUCM). F: double, float or Dual2 of them. No division by the radius.
#pragma once

#include <compare>

#include "splat/math/dual.h"
#include "splat/math/vec.h"

namespace splat::math {

struct NoDistortion {
  friend auto operator<=>(const NoDistortion&, const NoDistortion&) = default;
};

// SIMPLE_RADIAL, RADIAL, OPENCV, FULL_OPENCV: OpenCV's rational radial and tangential distortion. nerfstudio's has a
// fourth power of r^2 above the line, and nothing below it (nerfstudio/cameras/camera_utils.py).
struct RationalDistortion {
  double k1 = 0, k2 = 0, k3 = 0;  // numerator, by r^2, r^4, r^6
  double k4 = 0, k5 = 0, k6 = 0;  // denominator
  double p1 = 0, p2 = 0;          // tangential
  double by_r8 = 0;               // numerator
  friend auto operator<=>(const RationalDistortion&, const RationalDistortion&) = default;
};

// SIMPLE_FISHEYE, FISHEYE (all zero: equidistant), SIMPLE_RADIAL_FISHEYE, RADIAL_FISHEYE, OPENCV_FISHEYE,
// THIN_PRISM_FISHEYE: a polynomial in the angle from the axis.
struct FisheyeDistortion {
  double k1 = 0, k2 = 0, k3 = 0, k4 = 0;  // by theta^2, theta^4, theta^6, theta^8
  double p1 = 0, p2 = 0;                  // tangential
  double sx1 = 0, sy1 = 0;                // thin prism
  friend auto operator<=>(const FisheyeDistortion&, const FisheyeDistortion&) = default;
};

// FOV: r_distorted = atan(2 r tan(omega/2)) / omega.
struct FovDistortion {
  double omega = 0;  // radians, not 0, within (-pi, pi)
  friend auto operator<=>(const FovDistortion&, const FovDistortion&) = default;
};

// RAD_TAN_THIN_PRISM_FISHEYE, Project Aria's Fisheye624: a radial polynomial in the angle from the axis, then
// tangential and thin-prism terms in what it gives.
struct RadTanThinPrismDistortion {
  double k[6] = {};       // by theta^2, theta^4, ... theta^12
  double p0 = 0, p1 = 0;  // tangential
  double s0 = 0, s1 = 0;  // thin prism in x, by r^2 and r^4
  double s2 = 0, s3 = 0;  // thin prism in y, by r^2 and r^4
  friend auto operator<=>(const RadTanThinPrismDistortion&, const RadTanThinPrismDistortion&) = default;
};

// SIMPLE_DIVISION, DIVISION: undistorted = distorted / (1 + k r_distorted^2).
struct DivisionDistortion {
  double k = 0;
  friend auto operator<=>(const DivisionDistortion&, const DivisionDistortion&) = default;
};

// EUCM: distorted = (x, y) / (alpha sqrt(beta (x^2 + y^2) + z^2) + (1 - alpha) z).
struct EucmDistortion {
  double alpha = 0, beta = 1;  // alpha within [0, 1], beta > 0
  friend auto operator<=>(const EucmDistortion&, const EucmDistortion&) = default;
};

SPLAT_INLINE double atan(double a) { return ::atan(a); }
SPLAT_INLINE float atan(float a) { return ::atanf(a); }
template <class F>
SPLAT_INLINE Dual2<F> atan(const Dual2<F>& a) {
  return chain(a, atan(a.value), rcp(F(1) + a.value * a.value));
}

// atan(sqrt(s)) / sqrt(s), smooth at 0.
template <class F>
SPLAT_INLINE F atan_ratio(F s) {
  const F series = F(1) - s * (F(1.0 / 3) - s * (F(1.0 / 5) - s * (F(1.0 / 7) - s * F(1.0 / 9))));
  const F root = sqrt(s);
  return select(s < F(1e-3), series, atan(root) / root);  // the next term of the series is s^5/11
}

template <class F>
SPLAT_INLINE Vec2<F> distort(const NoDistortion&, F u, F v) {
  return {u, v};
}

template <class F>
SPLAT_INLINE Vec2<F> distort(const RationalDistortion& d, F u, F v) {
  const F uu = u * u, uv = u * v, vv = v * v, r2 = uu + vv;
  const F numerator = F(1) + r2 * (F(d.k1) + r2 * (F(d.k2) + r2 * (F(d.k3) + r2 * F(d.by_r8))));
  const F denominator = F(1) + r2 * (F(d.k4) + r2 * (F(d.k5) + r2 * F(d.k6)));
  const F radial = numerator / denominator;
  return {u * radial + F(2 * d.p1) * uv + F(d.p2) * (r2 + F(2) * uu),
          v * radial + F(2 * d.p2) * uv + F(d.p1) * (r2 + F(2) * vv)};
}

// On (a, b) = theta * (direction from the axis): the part of the fisheye models that is a polynomial.
template <class F>
SPLAT_INLINE Vec2<F> distort_angles(const FisheyeDistortion& d, F a, F b) {
  const F aa = a * a, ab = a * b, bb = b * b, t2 = aa + bb;
  const F radial = F(1) + t2 * (F(d.k1) + t2 * (F(d.k2) + t2 * (F(d.k3) + t2 * F(d.k4))));
  return {a * radial + F(2 * d.p1) * ab + F(d.p2) * (t2 + F(2) * aa) + F(d.sx1) * t2,
          b * radial + F(2 * d.p2) * ab + F(d.p1) * (t2 + F(2) * bb) + F(d.sy1) * t2};
}

template <class F>
SPLAT_INLINE Vec2<F> distort_angles(const RadTanThinPrismDistortion& d, F a, F b) {
  const F t2 = a * a + b * b;
  F polynomial = F(d.k[5]);
  for (int i = 4; i >= 0; --i) polynomial = F(d.k[i]) + t2 * polynomial;
  const F radial = F(1) + t2 * polynomial;
  const F x = a * radial, y = b * radial, xx = x * x, xy = x * y, yy = y * y, r2 = xx + yy;
  return {x + F(2 * d.p1) * xy + F(d.p0) * (r2 + F(2) * xx) + r2 * (F(d.s0) + r2 * F(d.s1)),
          y + F(2 * d.p0) * xy + F(d.p1) * (r2 + F(2) * yy) + r2 * (F(d.s2) + r2 * F(d.s3))};
}

template <class Angles, class F>
SPLAT_INLINE Vec2<F> distort_by_angles(const Angles& d, F u, F v) {
  const F theta_by_r = atan_ratio(u * u + v * v);
  return distort_angles(d, u * theta_by_r, v * theta_by_r);
}
template <class F>
SPLAT_INLINE Vec2<F> distort(const FisheyeDistortion& d, F u, F v) {
  return distort_by_angles(d, u, v);
}
template <class F>
SPLAT_INLINE Vec2<F> distort(const RadTanThinPrismDistortion& d, F u, F v) {
  return distort_by_angles(d, u, v);
}

template <class F>
SPLAT_INLINE Vec2<F> distort(const FovDistortion& d, F u, F v) {
  const double slope = 2 * ::tan(0.5 * d.omega);
  const F factor = F(slope / d.omega) * atan_ratio(F(slope * slope) * (u * u + v * v));
  return {u * factor, v * factor};
}

// k > 0 has no image of what lies beyond r = 1 / (2 sqrt(k)).
template <class F>
SPLAT_INLINE Vec2<F> distort(const DivisionDistortion& d, F u, F v) {
  const F factor = F(2) / (F(1) + sqrt(F(1) - F(4 * d.k) * (u * u + v * v)));
  return {u * factor, v * factor};
}

template <class F>
SPLAT_INLINE Vec2<F> distort(const EucmDistortion& d, F u, F v) {
  const F factor = F(1) / (F(d.alpha) * sqrt(F(d.beta) * (u * u + v * v) + F(1)) + F(1 - d.alpha));
  return {u * factor, v * factor};
}

struct DistortionJacobian {
  double x, y;  // the distorted point
  double x_by_u, x_by_v, y_by_u, y_by_v;
  double determinant() const { return x_by_u * y_by_v - x_by_v * y_by_u; }
};

// Value and derivatives of a mapping f(Dual2 u, Dual2 v) -> Vec2 at (u, v).
template <class Mapping>
DistortionJacobian jacobian(const Mapping& f, double u, double v) {
  const auto p = f(Dual2<double>(u, 1, 0), Dual2<double>(v, 0, 1));
  return {p.x.value, p.y.value, p.x.d0, p.x.d1, p.y.d0, p.y.d1};
}

// Solves f(u, v) = (x, y) from the start value in *u, *v by damped Newton steps; false: no solution was found.
template <class Mapping>
bool invert(const Mapping& f, double x, double y, double* u, double* v) {
  constexpr int kMaxSteps = 60;
  constexpr double kTolerance = 1e-12;  // far below a thousandth of a pixel for any focal length
  DistortionJacobian at = jacobian(f, *u, *v);
  double error = ::hypot(at.x - x, at.y - y);
  for (int step = 0; step < kMaxSteps && error > kTolerance; ++step) {
    const double determinant = at.determinant();
    if (!(determinant > 0)) return false;  // on the far side of a fold
    const double du = (at.y_by_v * (x - at.x) - at.x_by_v * (y - at.y)) / determinant;
    const double dv = (at.x_by_u * (y - at.y) - at.y_by_u * (x - at.x)) / determinant;
    double length = 1;
    DistortionJacobian next = jacobian(f, *u + du, *v + dv);
    while (!(next.determinant() > 0 && ::hypot(next.x - x, next.y - y) < error) && length > 1e-4) {
      length *= 0.5;
      next = jacobian(f, *u + length * du, *v + length * dv);
    }
    const double next_error = ::hypot(next.x - x, next.y - y);
    if (!(next_error < error)) break;
    *u += length * du;
    *v += length * dv;
    at = next;
    error = next_error;
  }
  return error < 1e-9 && at.determinant() > 0;
}

inline bool undistort(const NoDistortion&, double x, double y, double* u, double* v) {
  *u = x;
  *v = y;
  return true;
}

inline bool undistort(const RationalDistortion& d, double x, double y, double* u, double* v) {
  *u = 0;
  *v = 0;
  return invert([&](const auto& a, const auto& b) { return distort(d, a, b); }, x, y, u, v);
}

template <class Angles>
bool undistort_by_angles(const Angles& d, double x, double y, double* u, double* v) {
  double a = 0, b = 0;
  if (!invert([&](const auto& p, const auto& q) { return distort_angles(d, p, q); }, x, y, &a, &b)) return false;
  const double theta = ::hypot(a, b);
  if (!(theta < 1.5707)) return false;  // at 90 degrees from the axis there is no u, v any more
  const double r_by_theta = theta < 1e-6 ? 1.0 : ::tan(theta) / theta;
  *u = a * r_by_theta;
  *v = b * r_by_theta;
  return true;
}
inline bool undistort(const FisheyeDistortion& d, double x, double y, double* u, double* v) {
  return undistort_by_angles(d, x, y, u, v);
}
inline bool undistort(const RadTanThinPrismDistortion& d, double x, double y, double* u, double* v) {
  return undistort_by_angles(d, x, y, u, v);
}

inline bool undistort(const FovDistortion& d, double x, double y, double* u, double* v) {
  const double r = ::hypot(x, y), angle = r * ::fabs(d.omega);
  if (!(angle < 1.5707)) return false;
  const double slope = 2 * ::tan(0.5 * ::fabs(d.omega));
  const double factor = r < 1e-9 ? d.omega / (2 * ::tan(0.5 * d.omega)) : ::tan(angle) / (slope * r);
  *u = x * factor;
  *v = y * factor;
  return true;
}

inline bool undistort(const DivisionDistortion& d, double x, double y, double* u, double* v) {
  const double k_r2 = d.k * (x * x + y * y);
  // k < 0 reaches 90 degrees from the axis at -1; k > 0 turns back at 1.
  if (!(::fabs(k_r2) < 1)) return false;
  *u = x / (1 + k_r2);
  *v = y / (1 + k_r2);
  return true;
}

inline bool undistort(const EucmDistortion& d, double x, double y, double* u, double* v) {
  const double beta_r2 = d.beta * (x * x + y * y);
  // z of the ray with this x, y: not positive at 90 degrees from the axis and beyond, NaN where there is no ray.
  const double z =
      (1 - d.alpha * d.alpha * beta_r2) / (d.alpha * ::sqrt(1 - (2 * d.alpha - 1) * beta_r2) + 1 - d.alpha);
  if (!(z > 1e-12)) return false;
  *u = x / z;
  *v = y / z;
  return true;
}

// The largest radius up to `limit` within which distorted points move outwards with the undistorted ones, in every
// direction: beyond it polynomials fold back over the picture.
template <class Distortion>
double fold_radius(const Distortion& d, double limit) {
  constexpr int kDirections = 32, kSteps = 500;
  double radius = limit;
  for (int i = 0; i < kDirections; ++i) {
    const double angle = i * (2 * 3.14159265358979323846 / kDirections);
    const double c = ::cos(angle), s = ::sin(angle);
    double reached = 0;
    for (int step = 1; step <= kSteps; ++step) {
      const double r = limit * step / kSteps;
      if (r > radius) break;
      const auto at = jacobian([&](const auto& u, const auto& v) { return distort(d, u, v); }, r * c, r * s);
      const double outwards = at.x * c + at.y * s;
      if (!(at.determinant() > 0 && outwards > reached)) {
        radius = limit * (step - 1) / kSteps;
        break;
      }
      reached = outwards;
    }
  }
  return radius;
}

}  // namespace splat::math
