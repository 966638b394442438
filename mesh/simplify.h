// Reduces a mesh.
#pragma once

#include <cstddef>

#include "mesh/triangle_mesh.h"

namespace mesh {

// Fewer faces (meshoptimizer's quadric error, borders kept): at most `faces` where moving the surface by no more than
// `most_error` (world units) allows it. Colours and normals stay with the vertices that remain.
void simplify(TriangleMesh& mesh, size_t faces, float most_error);

}  // namespace mesh
