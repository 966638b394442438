// What is done with the triangles of one tile, compiled once per SIMD level. Plain data in and out, so that no
// inline code of other headers, but for what is always inlined, ends up compiled with a level's instructions. Nothing
// is fused: all levels give the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "splat/backend/cpu/simd_level.h"
#include "splat/math/screen_triangle.h"

namespace splat::triangles {

inline constexpr int kTileSide = 32;  // px
inline constexpr int kTilePixels = kTileSide * kTileSide;

struct TileTriangle : math::TilePlanes {
  float weight[3];  // of the corners; TriangleJob::weighted
};
inline constexpr int kTileTriangleFloats = sizeof(TileTriangle) / sizeof(float);

// [kTileSide,kTileSide], row by row.
struct Tile {
  alignas(64) float depth[kTilePixels];  // of what is seen
  float nearest[kTilePixels];            // nothing below this depth is seen
  float share[3][kTilePixels];           // edges of what is seen; by find_shares, the shares of its corners
  float inverse[kTilePixels];            // by find_shares, 1 / sum of edges
  int32_t seen[kTilePixels];             // of the tile's triangles; -1: none
};

// The tile's part of pictures of four numbers a pixel.
struct TileOutput {
  int width, height;  // px
  size_t stride;      // floats from row to row
  float* rast;        // shares of the first two corners, depth, number
  float* slopes;      // by px: du/dx, du/dy, dv/dx, dv/dy; null: not wanted
};

struct TileKernels {
  // Triangles [begin, end), where they are nearer than what is seen; equally near ones are not. steps > 0: depths are
  // cut to whole steps, `steps` of them from 0 to 1, before they are compared.
  void (*draw)(const TileTriangle* triangles, size_t begin, size_t end, float steps, Tile* tile);
  float (*farthest)(const Tile* tile);  // largest depth
  void (*find_shares)(const TileTriangle* triangles, bool weighted, Tile* tile);
  // Shares must not be weighted. numbers: of the tile's triangles.
  void (*write)(const TileTriangle* triangles, const int32_t* numbers, const Tile* tile, const TileOutput& out);
};
const TileKernels& tile_kernels_of(cpu::SimdLevel level);

namespace sse4 {
extern const TileKernels kTileKernels;
}
namespace avx2 {
extern const TileKernels kTileKernels;
}
namespace avx512 {
extern const TileKernels kTileKernels;
}
namespace neon {
extern const TileKernels kTileKernels;
}

}  // namespace splat::triangles
