// Makes a mesh manifold: separates surfaces that touch at an edge or a vertex.
#pragma once

#include <cstddef>

#include "mesh/triangle_mesh.h"

namespace mesh {

// Afterwards each edge has one or two faces, two run along it in opposite directions, and the faces around a vertex are
// one fan. Faces that stand twice go, as do two that cover each other back to back. Where more than two faces meet in
// an edge, those stay together that enclose the inside between them; each group gets vertices of its own, `apart`
// (world units) from the others, so that readers which merge equal positions do not undo it. What was closed stays
// closed, unless faces were turned. Meshes without such places stay as they are. Returns the number of vertices added.
// Cost: sorting the edges.
size_t make_manifold(TriangleMesh& mesh, float apart);

}  // namespace mesh
