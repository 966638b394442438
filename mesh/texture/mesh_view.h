// A depth buffer of a mesh: the visible face of each pixel.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "mesh/triangle_mesh.h"
#include "splat/model/camera.h"
#include "splat/model/image.h"

namespace mesh {

inline constexpr uint32_t kNoFace = std::numeric_limits<uint32_t>::max();

struct MeshView {
  splat::View view;
  std::vector<float> depth;                  // [H,W] along the camera's axis, world units; 0: nothing
  std::vector<uint32_t> faces;               // [H,W] what is seen; kNoFace
  std::vector<std::array<float, 2>> shares;  // [H,W] of the first two corners in the point seen
};

// Faces that reach behind the camera are cut. On one thread; cost: the pixels of all faces.
MeshView look_at(const TriangleMesh& mesh, const splat::View& view);

// The depth alone.
std::vector<float> mesh_depth(const TriangleMesh& mesh, const splat::View& view);

// The mesh with its texture (RGB; bilinear, by mesh.uvs) or, where it has none, the colours of its vertices; black
// where it is not.
splat::ImageF picture_of(const TriangleMesh& mesh, const splat::Image8& texture, const MeshView& seen);

}  // namespace mesh
