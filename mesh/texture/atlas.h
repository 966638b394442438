// Packs the charts of a mesh into a square texture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh/triangle_mesh.h"
#include "splat/core/parallel.h"
#include "splat/core/result.h"

namespace mesh {

inline constexpr int kGutter = 4;  // texels between charts

struct Atlas {
  std::vector<uint32_t> origin;  // [V] for each vertex of the new mesh its vertex in the mesh before
  size_t charts = 0;
  double texel = 0;   // side of a texel on a surface parallel to its chart, world units
  double filled = 0;  // share of the texture's texels that lie on the surface
};

// Gives the mesh uvs for a texture of `side` x `side` texels. Charts are as finely resolved as fits, all the same.
// Vertices on the border of charts become one for each of them, so that the mesh is cut there. An error where there are
// too many charts for the texture. The same on any number of threads.
splat::Result<Atlas> lay_out(TriangleMesh& mesh, int side, splat::ThreadPool& pool);

}  // namespace mesh
