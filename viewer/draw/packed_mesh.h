// A mesh as the graphics card holds it. Made off the window's thread.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "splat/model/image.h"

namespace viewer {

struct MeshVertex {
  std::array<float, 3> position, normal;  // world; unit
  std::array<float, 2> uv{};              // of the texture's width and height, from its top left corner
  std::array<uint8_t, 4> rgba{160, 160, 160, 255};
};

struct PackedMesh {
  std::vector<MeshVertex> vertices;
  std::vector<uint32_t> indices;  // three a face
  splat::Image8 texture;          // RGB; empty: the colours of the vertices
};

}  // namespace viewer
