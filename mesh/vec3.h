// The few operations on vectors that the rooms of meshes share.
#pragma once

#include <cmath>

#include "mesh/triangle_mesh.h"

namespace mesh {

inline Vec3 minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline float dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vec3 scaled(const Vec3& a, float by) { return {a[0] * by, a[1] * by, a[2] * by}; }
inline Vec3 plus(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

// Normalised to length 1; a zero vector stays.
inline Vec3 direction_of(const Vec3& a) {
  const float size = std::sqrt(dot(a, a));
  return size > 0 ? scaled(a, 1 / size) : a;
}

// Twice the area, along the normal.
inline Vec3 area_of(const TriangleMesh& mesh, const Face& face) {
  const Vec3& a = mesh.positions[face[0]];
  return cross(minus(mesh.positions[face[1]], a), minus(mesh.positions[face[2]], a));
}

}  // namespace mesh
