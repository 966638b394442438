// The triangles of marching cubes (Lorensen and Cline 1987) for each of the 256 cases of corners inside, made at the
// first call. On a face with two corners inside across from each other these stay apart, in both cubes that share it,
// and no triangle's edge lies across a face: so the surface is a manifold, closed wherever cubes are.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace mesh {

// Corner c of a cube stands at (c & 1, c >> 1 & 1, c >> 2). Edge e runs from corner kCubeEdges[e].from along an axis.
struct CubeEdge {
  uint8_t from, axis;
};
inline constexpr std::array<CubeEdge, 12> kCubeEdges{
    {{0, 0}, {2, 0}, {4, 0}, {6, 0}, {0, 1}, {1, 1}, {4, 1}, {5, 1}, {0, 2}, {1, 2}, {2, 2}, {3, 2}}};

using CubeTriangle = std::array<uint8_t, 3>;  // edges; counter-clockwise as seen from outside

// [256] by the bits of the corners inside; at most 5 triangles each.
const std::array<std::vector<CubeTriangle>, 256>& cube_table();

}  // namespace mesh
