// How near a mesh is to a shape.
#pragma once

#include <filesystem>

#include "mesh/triangle_mesh.h"
#include "splat/core/result.h"
#include "tests/quality/shapes/shape.h"

namespace shapes {

struct Score {
  double chamfer = 0;         // of the diagonal: mean of the mean distances mesh to shape and shape to mesh
  double precision = 0;       // share of the mesh within 1 % of the diagonal of the shape
  double recall = 0;          // share of the shape within 1 % of the diagonal of the mesh
  double f_score = 0;         // their harmonic mean
  double normal_degrees = 0;  // median angle between a face's normal and the shape's
};

// From `samples` points on each.
Score score_mesh(const Shape& shape, const mesh::TriangleMesh& mesh, size_t samples = 100'000);

// A PLY as --mesh writes it: float x y z first, then whatever has 4 bytes (floats) or 1 (uchar); triangles.
splat::Result<mesh::TriangleMesh> read_mesh_ply(const std::filesystem::path& path);

}  // namespace shapes
