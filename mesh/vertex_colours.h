// Colours of a mesh's vertices from pictures of it.
#pragma once

#include <functional>

#include "mesh/depth_map.h"
#include "mesh/triangle_mesh.h"
#include "splat/model/image.h"

namespace mesh {

// Each vertex takes the weighted mean of the pictures that see it (the map's depth says so, within `tolerance` of it,
// world units): weight (cosine of the viewing angle / depth)^4, so that those which look straight at it from nearby
// decide. picture(i) is that of map i, called once each, in order. Vertices that nothing sees take the colour of a
// neighbour that something sees, else grey.
void colour_vertices(TriangleMesh& mesh, const std::vector<DepthMap>& maps, float tolerance,
                     const std::function<splat::ImageF(size_t)>& picture, splat::ThreadPool& pool);

}  // namespace mesh
