// Smoothing without loss of volume.
#pragma once

#include "mesh/triangle_mesh.h"
#include "splat/core/parallel.h"

namespace mesh {

// `rounds` times a step towards the mean of a vertex's neighbours and one back, so that volume stays (Taubin 1995);
// vertices on open edges stay where they are. Normals become those of the faces around. The same on any number of
// threads. Cost: each edge four times a round.
void smooth(TriangleMesh& mesh, int rounds, splat::ThreadPool& pool);

}  // namespace mesh
