// A texture for a mesh, from pictures of it.
#pragma once

#include <functional>
#include <vector>

#include "mesh/texture/best_views.h"
#include "splat/model/image.h"

namespace mesh {

struct TextureJob {
  const TriangleMesh& mesh;              // with uvs
  const std::vector<VertexViews>& best;  // [V] of its vertices
  const std::vector<TextureView>& views;
  std::vector<Vec3> exposures;  // [views] factors of the pictures
  int side = 0;                 // texels
};

// RGB, side x side. Each texel takes the mean of the best views of its face's corners; what no view sees the colour of
// the vertices (grey where the mesh has none). Around the charts colours go on for 8 texels, then follows their mean.
// picture(i), of view i, is called once each, in order. The same bytes on any number of threads. Memory: 20 bytes a
// texel.
splat::Image8 bake_texture(const TextureJob& job, const std::function<splat::ImageF(size_t)>& picture,
                           splat::ThreadPool& pool);

}  // namespace mesh
