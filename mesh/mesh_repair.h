// What follows the extraction: parts too small to mean anything go, holes are closed, and a count of what is wrong.
#pragma once

#include <cstddef>

#include "mesh/triangle_mesh.h"

namespace mesh {

// Drops the vertices that no face uses; the others keep their order.
void drop_unused_vertices(TriangleMesh& mesh);

// Keeps connected parts with at least this share of the faces of the largest one. Returns the number of parts dropped.
size_t drop_small_parts(TriangleMesh& mesh, double share);

// Closes holes by a fan around their middle: those with a perimeter of at most `share` of the longest, all with 1.
// Where edges of one hole meet again in a vertex, it is two. Returns the number of holes closed.
size_t close_holes(TriangleMesh& mesh, double share);

struct MeshDefects {
  size_t open_edges = 0;        // with one face
  size_t crowded_edges = 0;     // with more than two faces
  size_t turned_edges = 0;      // two faces that run along it in the same direction
  size_t degenerate_faces = 0;  // with the same vertex twice, or without area
  double volume = 0;            // enclosed, world units cubed; of use where nothing is open
};
MeshDefects find_defects(const TriangleMesh& mesh);

}  // namespace mesh
