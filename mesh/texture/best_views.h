// The best views of each vertex of a mesh.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/depth_map.h"
#include "mesh/triangle_mesh.h"
#include "splat/core/parallel.h"
#include "splat/model/camera.h"

namespace mesh {

inline constexpr size_t kBestViews = 4;

struct TextureView {
  splat::View view;
  bool photo = true;  // false: a picture of the splats, which counts only where no photo sees
  // Depths of all that the view shows, if the mesh is a part of it: what is nearer hides it. Null: the mesh is all.
  const DepthMap* depth = nullptr;
};

// The best views of a vertex, each with a weight that falls to 0 where a fifth would be as good, so that along the
// surface none comes or goes at once.
struct VertexViews {
  std::array<uint16_t, kBestViews> view{};
  std::array<float, kBestViews> weight{};  // 0: no view; those of photos sum to 1 where there are any

  float weight_of(size_t wanted) const {
    for (size_t k = 0; k < kBestViews; ++k)
      if (weight[k] > 0 && view[k] == wanted) return weight[k];
    return 0;
  }
};

// How well a view sees a vertex: the cosine of its angle times its pixels per unit of area; 0 where the mesh itself, as
// near as `tolerance` (world units), or something just beside hides it. What lies beside a vertex that is hidden counts
// a thousandth. Cost: drawing the mesh once for each view. The same on any number of threads.
std::vector<VertexViews> find_best_views(const TriangleMesh& mesh, const std::vector<TextureView>& views,
                                         float tolerance, splat::ThreadPool& pool);

}  // namespace mesh
