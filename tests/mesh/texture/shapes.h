// A globe and views of it, painted by a formula.
#pragma once

#include <algorithm>
#include <cmath>

#include "mesh/texture/mesh_view.h"
#include "mesh/triangle_mesh.h"
#include "mesh/vec3.h"
#include "splat/model/camera.h"
#include "splat/model/image.h"

namespace mesh::test {

// Of radius 1, with its normals; y is its axis.
inline TriangleMesh globe(uint32_t rows = 48, uint32_t columns = 96) {
  TriangleMesh mesh;
  for (uint32_t i = 0; i <= rows; ++i)
    for (uint32_t j = 0; j < (i == 0 || i == rows ? 1 : columns); ++j) {
      const double t = M_PI * i / rows, a = 2 * M_PI * j / columns;
      mesh.positions.push_back(
          {float(std::sin(t) * std::cos(a)), float(std::cos(t)), float(std::sin(t) * std::sin(a))});
    }
  const auto at = [&](uint32_t i, uint32_t j) {
    return i == 0 ? 0 : 1 + (i - 1) * columns + (i == rows ? 0 : j % columns);
  };
  for (uint32_t i = 0; i < rows; ++i)
    for (uint32_t j = 0; j < columns; ++j) {
      if (i > 0) mesh.faces.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
      if (i + 1 < rows) mesh.faces.push_back({at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
    }
  mesh.normals = mesh.positions;
  return mesh;
}

// The i-th of `count` around the origin, at `distance`.
inline splat::View view_around(int i, int count, int size, double distance = 3) {
  const double y = 1 - 2 * (i + 0.5) / count, angle = 2.399963229728653 * i, r = std::sqrt(1 - y * y);
  const Vec3 z{float(-r * std::cos(angle)), float(-y), float(-r * std::sin(angle))};
  const Vec3 x = direction_of({z[2], 0, -z[0]}), down = cross(z, x);
  splat::View view;
  view.camera = {size, size, 1.2f * float(size), 1.2f * float(size), 0.5f * float(size), 0.5f * float(size)};
  for (size_t k = 0; k < 3; ++k) {
    view.cam_from_world.rotation[k] = x[k];
    view.cam_from_world.rotation[3 + k] = down[k];
    view.cam_from_world.rotation[6 + k] = z[k];
  }
  view.cam_from_world.translation = {0, 0, distance};
  return view;
}

inline Vec3 paint(const Vec3& p) {
  return {0.5f + 0.4f * std::sin(6 * p[0]), 0.5f + 0.4f * std::sin(6 * p[1] + 1), 0.5f + 0.4f * std::sin(6 * p[2] + 2)};
}

// As a camera would take it of the painted mesh; grey behind.
inline splat::ImageF photo_of(const TriangleMesh& mesh, const splat::View& view, float exposure = 1) {
  const MeshView seen = look_at(mesh, view);
  const size_t pixels = seen.faces.size();
  splat::ImageF image{view.camera.width, view.camera.height, std::vector<float>(3 * pixels, 0.5f)};
  for (size_t i = 0; i < pixels; ++i) {
    if (seen.faces[i] == kNoFace) continue;
    const Face& face = mesh.faces[seen.faces[i]];
    const float shares[3] = {seen.shares[i][0], seen.shares[i][1], 1 - seen.shares[i][0] - seen.shares[i][1]};
    Vec3 p{};
    for (size_t k = 0; k < 3; ++k) p = p + shares[k] * mesh.positions[face[k]];
    for (size_t c = 0; c < 3; ++c) image.rgb[c * pixels + i] = exposure * paint(p)[c];
  }
  return image;
}

}  // namespace mesh::test
