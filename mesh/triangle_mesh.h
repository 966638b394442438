// A triangle mesh in world coordinates.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace mesh {

using Vec3 = std::array<float, 3>;
using Uv = std::array<float, 2>;       // of the texture's width and height, from its top left corner
using Face = std::array<uint32_t, 3>;  // vertices, counter-clockwise as seen from outside

struct TriangleMesh {
  std::vector<Vec3> positions;  // [V] world
  std::vector<Vec3> normals;    // [V] unit, outwards
  std::vector<Vec3> colours;    // [V] sRGB in [0,1], or empty
  std::vector<Uv> uvs;          // [V] in [0,1], or empty; made last, by lay_out()
  std::vector<Face> faces;      // [F]
};

}  // namespace mesh
