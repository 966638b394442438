// Closes an open surface with an offset copy behind it.
#pragma once

#include "mesh/triangle_mesh.h"

namespace mesh {

// Closes a mesh that is open: a copy of it `thickness` (world units) behind, seen from there, and a wall along its open
// edges. Parts that are closed stay as they are. Takes a manifold (make_manifold), and leaves one whose every edge has
// two faces. Twice the faces of the open parts and two more for each open edge.
void thicken(TriangleMesh& mesh, float thickness);

}  // namespace mesh
