// Mesh clean-up: removes small components, closes holes, counts defects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "mesh/triangle_mesh.h"
#include "splat/core/parallel.h"

namespace mesh {

// The edges that have no face on their other side, in the direction of their faces, sorted.
std::vector<std::pair<uint32_t, uint32_t>> open_edges(const TriangleMesh& mesh);

// The connected part that each vertex belongs to, named by its first vertex.
std::vector<uint32_t> parts_of(const TriangleMesh& mesh);

// Drops the vertices that no face uses; the others keep their order.
void drop_unused_vertices(TriangleMesh& mesh);

// Keeps connected parts with at least this share of the faces of the largest one. Returns the number of parts dropped.
size_t drop_small_parts(TriangleMesh& mesh, double share);

// Closes holes by a fan around their middle: those with a perimeter of at most `share` of the longest, all with 1.
// Where edges of one hole meet again in a vertex, it is two. `may_close` is given the vertices along a hole and the
// point that they would be joined to. Returns the number of holes closed.
using MayClose = splat::FunctionRef<bool(const std::vector<uint32_t>& hole, const Vec3& middle)>;
size_t close_holes(
    TriangleMesh& mesh, double share,
    MayClose may_close = [](const std::vector<uint32_t>&, const Vec3&) { return true; });

struct MeshDefects {
  size_t open_edges = 0;          // with one face
  size_t non_manifold_edges = 0;  // with more than two faces
  size_t inconsistent_edges = 0;  // two faces that run along it in the same direction
  size_t degenerate_faces = 0;    // with the same vertex twice, or without area
  double volume = 0;              // enclosed, world units cubed; of use where nothing is open
};
MeshDefects find_defects(const TriangleMesh& mesh);

}  // namespace mesh
