// What depth maps say of places where nothing is.
#pragma once

#include <vector>

#include "mesh/depth_map.h"
#include "mesh/triangle_mesh.h"

namespace mesh {

// Whether two views at least look past the point: what they saw there lies farther by more than `margin` (world
// units), or is nothing.
bool is_seen_free(const std::vector<DepthMap>& maps, const Vec3& point, float margin);

// How much, by area, of a fan between `rim` (vertices of the mesh) and `middle` stands where views look through, in
// [0,1]. From a few dozen places of it.
double seen_free(const std::vector<DepthMap>& maps, const TriangleMesh& mesh, const std::vector<uint32_t>& rim,
                 const Vec3& middle, float margin);

}  // namespace mesh
