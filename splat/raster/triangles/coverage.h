// Which triangle each pixel of a picture sees: the part that all rasterisers of triangles.h share. Triangles are drawn
// tile by tile, a thread a block of tiles, in their order: of equally near ones the first is seen, on any number of
// threads. What lies on a border between triangles is in both, so that there are no gaps.
#pragma once

#include <array>
#include <cstdint>

#include "splat/core/parallel.h"
#include "splat/core/result.h"
#include "splat/raster/triangles/tile_kernels.h"

namespace splat::triangles {

struct Corners {
  math::ScreenCorner corner[3];
  float weight[3] = {};  // TriangleJob::weighted
};

struct TriangleJob {
  int width = 0, height = 0;  // px
  size_t triangles = 0;       // below 2^31
  // Fills in the corners. Triangles without area, or with a number that is not finite, are not drawn.
  FunctionRef<void(size_t triangle, Corners& corners)> corners;
  float near = 0, far = 0;         // depths / w that are seen: at least near, and below far
  float steps = 0;                 // see TileKernels::draw; then far counts steps
  int32_t first_number = 1;        // of the first triangle
  bool weighted = false;           // shares are those of edges times the corners' weights
  const float* nearest = nullptr;  // [H,W] times scale plus offset in place of near, where that is more; null: none
  float nearest_scale = 1, nearest_offset = 0;
};

// A tile whose pixels are all known.
struct DrawnTile {
  int x0, y0, width, height;  // of its part in the picture
  const Tile& pixels;         // with shares
  const TileTriangle* triangles;
  const int32_t* numbers;  // of the tile's triangles, from TriangleJob::first_number
  const TileKernels& kernels;

  // Number of the triangle that pixel `at` of the tile shows; 0: none.
  uint32_t number(int at) const { return pixels.seen[at] < 0 ? 0 : uint32_t(numbers[pixels.seen[at]]); }
};

// Calls finish once for each tile, from several threads. Refuses pictures that are too large, and CPUs that are too
// old. Cost: the pixels of all triangles that are in front when they come, and 136 bytes a triangle.
Status draw_triangles(const TriangleJob& job, ThreadPool* pool, FunctionRef<void(const DrawnTile&)> finish);

}  // namespace splat::triangles
