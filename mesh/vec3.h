// Vector arithmetic of meshes: splat/core/vectors.h, and directions and areas.
#pragma once

#include <cmath>

#include "mesh/triangle_mesh.h"
#include "splat/core/vectors.h"

namespace mesh {

using splat::cross;
using splat::dot;
using splat::operator+;
using splat::operator-;
using splat::operator*;

// Normalised to length 1; a zero vector stays.
inline Vec3 direction_of(const Vec3& a) {
  const float size = std::sqrt(dot(a, a));
  return size > 0 ? (1 / size) * a : a;
}

// Twice the area, along the normal.
inline Vec3 area_of(const TriangleMesh& mesh, const Face& face) {
  const Vec3& a = mesh.positions[face[0]];
  return cross(mesh.positions[face[1]] - a, mesh.positions[face[2]] - a);
}

}  // namespace mesh
