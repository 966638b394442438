// Free space, as depth maps see it.
#pragma once

#include <vector>

#include "mesh/depth_map.h"
#include "mesh/triangle_mesh.h"

namespace mesh {

// Whether at least two views see past the point, to a surface more than `margin` (world units) behind it or to none.
bool is_seen_free(const std::vector<DepthMap>& maps, const Vec3& point, float margin);

// Share by area, in [0,1], of a fan between `rim` (vertices of the mesh) and `middle` that lies in free space. From a
// few dozen samples.
double seen_free(const std::vector<DepthMap>& maps, const TriangleMesh& mesh, const std::vector<uint32_t>& rim,
                 const Vec3& middle, float margin);

}  // namespace mesh
