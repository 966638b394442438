// Relative exposures of photos, from the vertices of a mesh that they share.
#pragma once

#include <functional>
#include <vector>

#include "mesh/texture/best_views.h"
#include "splat/model/image.h"

namespace mesh {

// For each view the factor of red, green and blue by which the photos agree at the vertices (least squares over
// logarithms); their mean is 1, and 1 is what pictures of splats have. picture(i): of view i; called for photos alone.
std::vector<Vec3> level_exposures(const TriangleMesh& mesh, const std::vector<VertexViews>& best,
                                  const std::vector<TextureView>& views,
                                  const std::function<splat::ImageF(size_t)>& picture, splat::ThreadPool& pool);

}  // namespace mesh
