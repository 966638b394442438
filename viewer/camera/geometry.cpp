#include "viewer/camera/geometry.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace viewer {

using splat::math::column;
using splat::math::cross;
using splat::math::dot;
using splat::math::row;

double length(const Vec3& a) { return std::sqrt(dot(a, a)); }
Vec3 normalized(const Vec3& a) { return (1 / length(a)) * a; }
Mat3 identity() { return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }

Mat3 transposed(const Mat3& a) {
  Mat3 t;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) t.m[r][c] = a.m[c][r];
  return t;
}

Mat3 operator*(const Mat3& a, const Mat3& b) {
  Mat3 product;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) product.m[r][c] = dot(row(a, r), column(b, c));
  return product;
}

// Rodrigues: R = I + sin K + (1 - cos) K^2.
Mat3 rotation_about(const Vec3& k, double angle) {
  const double s = std::sin(angle), c = std::cos(angle), t = 1 - c;
  return {{{c + t * k.x * k.x, t * k.x * k.y - s * k.z, t * k.x * k.z + s * k.y},
           {t * k.x * k.y + s * k.z, c + t * k.y * k.y, t * k.y * k.z - s * k.x},
           {t * k.x * k.z - s * k.y, t * k.y * k.z + s * k.x, c + t * k.z * k.z}}};
}

namespace {

// Unit axis and angle in [0, pi] of a rotation.
struct AxisAngle {
  Vec3 axis{1, 0, 0};
  double angle = 0;
};

AxisAngle axis_angle_of(const Mat3& r) {
  const Vec3 twice_sine{r.m[2][1] - r.m[1][2], r.m[0][2] - r.m[2][0], r.m[1][0] - r.m[0][1]};
  const double sine = length(twice_sine) / 2, cosine = (r.m[0][0] + r.m[1][1] + r.m[2][2] - 1) / 2;
  const double angle = std::atan2(sine, cosine);
  if (sine > 1e-6) return {(0.5 / sine) * twice_sine, angle};
  if (cosine > 0) return {{1, 0, 0}, 0};
  // Half a turn: R + I = 2 k k^T; its longest column lies along the axis.
  Vec3 longest{0, 0, 0};
  for (int c = 0; c < 3; ++c) {
    Vec3 candidate = column(r, c);
    (c == 0 ? candidate.x : c == 1 ? candidate.y : candidate.z) += 1;
    if (length(candidate) > length(longest)) longest = candidate;
  }
  return {normalized(longest), angle};
}

}  // namespace

Mat3 interpolated(const Mat3& a, const Mat3& b, double t) {
  const AxisAngle between = axis_angle_of(b * transposed(a));
  return rotation_about(between.axis, t * between.angle) * a;
}

Mat3 orthonormalized(const Mat3& a) {
  const Vec3 x = normalized(column(a, 0));
  const Vec3 z = normalized(cross(x, column(a, 1)));
  const Vec3 y = cross(z, x);
  return {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

Vec3 any_perpendicular(const Vec3& unit) {
  const double x = std::abs(unit.x), y = std::abs(unit.y), z = std::abs(unit.z);
  const Vec3 least = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  return normalized(cross(unit, least));
}

double Bounds::radius() const { return empty() ? 0 : length(0.5 * (high - low)); }

void Bounds::add(const Vec3& p) {
  if (empty()) {
    low = high = p;
    return;
  }
  low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
  high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
}

namespace {
Bounds bounds_of(const std::optional<splat::Extent>& extent) {
  return extent ? Bounds{vec3(extent->low), vec3(extent->high)} : Bounds();
}
}  // namespace

Bounds robust_bounds(std::span<const float> xyz) { return bounds_of(splat::robust_extent(xyz)); }

Bounds robust_bounds(const splat::Gaussians& model) { return bounds_of(splat::robust_extent(model)); }

Bounds framed_bounds(const splat::Gaussians& model) { return bounds_of(splat::framed_extent(model)); }

}  // namespace viewer
