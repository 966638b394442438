// How a 16x16 tile is cut into blocks of pixels, one SIMD vector each: 4x4 px for 16 lanes, 4x2 for 8, 2x2 for 4. A
// block number counts down the columns of blocks; lanes run along x first. Per SIMD level.
#pragma once

#include "splat/backend/cpu/kernels.h"
#include "splat/core/simd.h"
#include "splat/math/blend.h"
#include "splat/math/tile_bounds.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {

using namespace splat::simd::SPLAT_SIMD_LEVEL;

inline constexpr int kBlockWidth = kLanes == 4 ? 2 : 4, kBlockHeight = kLanes / kBlockWidth;  // px
inline constexpr int kBlockColumns = math::kTileSize / kBlockWidth, kBlockRows = math::kTileSize / kBlockHeight;
inline constexpr int kBlocks = kBlockColumns * kBlockRows;
inline constexpr float kTileSpan = math::kTileSize;

SPLAT_INLINE int block_column(int block) { return block / kBlockRows; }
SPLAT_INLINE int block_row(int block) { return block % kBlockRows; }

// Offset of a block's first pixel from the tile's, in a plane of the image.
SPLAT_INLINE size_t block_offset(int block, int stride) {
  return size_t(block_row(block)) * kBlockHeight * stride + size_t(block_column(block)) * kBlockWidth;
}

// The block's pixels of a plane, from its first pixel on.
SPLAT_INLINE FloatV load_block(const float* p, int stride) {
  if constexpr (kBlockWidth == 4) {
    return load_blocks(p, stride);
  } else {
    const hn::Half<FloatTag> half;
    return FloatV(hn::Combine(FloatTag(), hn::LoadU(half, p + stride), hn::LoadU(half, p)));
  }
}
SPLAT_INLINE void store_block(FloatV v, float* p, int stride) {
  if constexpr (kBlockWidth == 4) {
    store_blocks(v, p, stride);
  } else {
    const hn::Half<FloatTag> half;
    hn::StoreU(hn::LowerHalf(half, v.raw), half, p);
    hn::StoreU(hn::UpperHalf(half, v.raw), half, p + stride);
  }
}

// x and y of the lanes' pixel centres within a block.
SPLAT_INLINE FloatV lane_x() {
  const FloatV n = lane_numbers();
  return n - FloatV(kBlockWidth) * floor(n * FloatV(1.0 / kBlockWidth)) + FloatV(0.5);
}
SPLAT_INLINE FloatV lane_y() { return floor(lane_numbers() * FloatV(1.0 / kBlockWidth)) + FloatV(0.5); }

// What blending reads of a splat, in all lanes, relative to one tile.
struct TileSplat {
  FloatV x, y;  // of the first block's pixels minus the splat's mean
  math::Sym2<FloatV> conic;
  FloatV opacity, threshold;
  math::Vec3<FloatV> colour;
};
SPLAT_INLINE TileSplat tile_splat(const SplatRecord& r, float tile_x, float tile_y) {
  return {lane_x() + FloatV(tile_x - r.mean_x),
          lane_y() + FloatV(tile_y - r.mean_y),
          {FloatV(r.conic_xx), FloatV(r.conic_xy), FloatV(r.conic_yy)},
          FloatV(r.opacity),
          FloatV(r.threshold),
          {FloatV(r.red), FloatV(r.green), FloatV(r.blue)}};
}
SPLAT_INLINE math::Vec2<FloatV> block_offset_px(const TileSplat& s, int block) {
  return {s.x + FloatV(float(block_column(block) * kBlockWidth)), s.y + FloatV(float(block_row(block) * kBlockHeight))};
}

SPLAT_INLINE math::Ellipse<FloatV> record_ellipse(FloatV t, FloatV half_y, FloatV slope_x_by_y, FloatV inv_yy,
                                                  FloatV conditional_xx, FloatV y_at_right) {
  math::Ellipse<FloatV> e;
  e.t = t;
  e.half_y = half_y;
  e.slope_x_by_y = slope_x_by_y;
  e.inv_yy = inv_yy;
  e.conditional_xx = conditional_xx;
  e.y_at_right = y_at_right;
  return e;
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
