// Vectors and rotations of navigation, in double. World frame = the scene's. Camera frame: x right, y down, z forward.
#pragma once

#include <array>
#include <span>

#include "splat/math/vec.h"
#include "splat/model/camera.h"
#include "splat/model/robust_extent.h"

namespace viewer {

using Vec3 = splat::math::Vec3<double>;
using Mat3 = splat::math::Mat3<double>;

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double radians(double degrees) { return degrees * (kPi / 180); }
inline constexpr double degrees(double radians) { return radians * (180 / kPi); }

inline Vec3 vec3(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
inline std::array<double, 3> array3(const Vec3& a) { return {a.x, a.y, a.z}; }

double length(const Vec3& a);
Vec3 normalized(const Vec3& a);  // of length > 0
Mat3 identity();
Mat3 transposed(const Mat3& a);
Mat3 operator*(const Mat3& a, const Mat3& b);
Mat3 rotation_about(const Vec3& unit_axis, double angle);   // right-handed
Mat3 interpolated(const Mat3& a, const Mat3& b, double t);  // rotations, the short way; 0: a, 1: b
Mat3 orthonormalized(const Mat3& a);                        // the nearest rotation, against rounding errors
Vec3 any_perpendicular(const Vec3& unit);                   // unit

// An axis-aligned box. Empty: low > high.
struct Bounds {
  Vec3 low{1, 1, 1}, high{-1, -1, -1};

  bool empty() const { return low.x > high.x; }
  Vec3 centre() const { return 0.5 * (low + high); }
  double radius() const;  // of the sphere around the box; 0 when empty
  void add(const Vec3& point);
};

// splat/model/robust_extent.h as boxes: of points, each counting the same, and of splats by opacity.
Bounds robust_bounds(std::span<const float> xyz);  // [N,3]
Bounds robust_bounds(const splat::Gaussians& model);
Bounds framed_bounds(const splat::Gaussians& model);

}  // namespace viewer
