// What the stages of one rendered view hand to each other on the device. Records are indexed by splat: no compaction,
// so their order depends on nothing. An instance is a (tile, splat) pair.
#pragma once

#include <cstddef>
#include <cstdint>

#include "splat/backend/parameter_rows.h"
#include "splat/core/hd.h"
#include "splat/math/tile_bounds.h"

namespace splat::gpu {

// A visible splat as blending needs it.
struct alignas(16) SplatRecord {
  // What a pixel needs.
  float mean_x, mean_y;             // px
  float form_xx, form_xy, form_yy;  // math::WeightForm, px^-2
  float log2_opacity;
  float red, green, blue;
  // What others need.
  float t;        // math::EllipseForm
  float opacity;  // with the compensation
  float depth;
};

// The same splat as the tile lists need it, to cut it with rows of tiles.
struct alignas(16) TileRecord {
  float mean_x, mean_y;  // px
  math::EllipseRows<float> ellipse;
};

// Sums over a splat's pixels, 64 bytes a splat: math::SplatMoments in its order (w wx wy wxx wxy wyy, colour 3), then
// those by its plane, 3, which become those that the plane adds by mean and quaternion, 7.
inline constexpr int kGradientFloats = 16, kMomentFloats = 9, kColourSlot = 6, kPlaneSlot = 9;

// Written by the device while a view is drawn; all zeros before.
struct FrameCounters {
  unsigned long long instances;  // also those that did not fit
  uint32_t inverse_near;         // ~bits of the smallest depth
  uint32_t far;                  // bits of the largest depth
};

struct ImageSize {
  int width = 0, height = 0;  // px
  int tiles_x = 0, tiles_y = 0;
  SPLAT_HD size_t pixels() const { return size_t(width) * size_t(height); }
  SPLAT_HD size_t tiles() const { return size_t(tiles_x) * size_t(tiles_y); }
};

// ---- parameters: blocks of 64 splats, [rows][streams][64] floats, row = one scalar parameter
// (backend/parameter_rows.h). Streams: 1 for the parameters, 2 for Adam's moments. A wave reads 128 or 256 successive
// bytes of every row.
inline constexpr int kBlockSplats = 64;
inline constexpr int kBoundedSplats = 128;  // rows that share bounds (math/row_bounds.h)
inline constexpr size_t bounds_count(size_t splats) { return (splats + kBoundedSplats - 1) / kBoundedSplats; }
inline constexpr size_t block_count(size_t splats) { return (splats + kBlockSplats - 1) / kBlockSplats; }

}  // namespace splat::gpu
