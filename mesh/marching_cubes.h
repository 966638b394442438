// The surface where a distance field is zero.
#pragma once

#include "mesh/sparse_tsdf.h"
#include "mesh/triangle_mesh.h"
#include "splat/core/parallel.h"

namespace mesh {

// Cubes with a corner that was never seen are left out, so that the mesh ends where nothing was seen. Vertices are
// shared, no face is degenerate, no edge has more than two faces; normals are the field's gradient. The same bytes on
// any number of threads. The field, which is most of the memory, is given back before there is a mesh.
TriangleMesh march(SparseTsdf tsdf, splat::ThreadPool& pool);

}  // namespace mesh
