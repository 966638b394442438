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

SPLAT_INLINE unsigned block_column(unsigned block) { return block / kBlockRows; }
SPLAT_INLINE unsigned block_row(unsigned block) { return block % kBlockRows; }

// Offset of a block's first pixel from the tile's, in a plane of the image.
SPLAT_INLINE size_t block_offset(unsigned block, int stride) {
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

// The pixel centres of a tile's blocks, px.
struct TilePixels {
  FloatV x[kBlockColumns], y[kBlockRows];

  SPLAT_INLINE TilePixels(int tile_x, int tile_y) {
    const FloatV lane = lane_numbers(), lane_y = floor(lane * FloatV(1.0 / kBlockWidth));
    const FloatV lane_x = lane - FloatV(kBlockWidth) * lane_y;
    for (int i = 0; i < kBlockColumns; ++i) x[i] = lane_x + FloatV(float(tile_x + i * kBlockWidth) + 0.5f);
    for (int i = 0; i < kBlockRows; ++i) y[i] = lane_y + FloatV(float(tile_y + i * kBlockHeight) + 0.5f);
  }
  SPLAT_INLINE FloatV block_x(unsigned block) const { return x[block_column(block)]; }
  SPLAT_INLINE FloatV block_y(unsigned block) const { return y[block_row(block)]; }
  // Transmittance before the first splat: pixels outside the image count as finished.
  SPLAT_INLINE FloatV initial_transmittance(unsigned block, const ImageSize& size) const {
    const MaskV inside = (block_x(block) < FloatV(size.width)) & (block_y(block) < FloatV(size.height));
    return select(inside, FloatV(1), FloatV(-1));
  }
};

// The rays through the pixel centres of a tile's blocks.
struct TileRays {
  FloatV x[kBlockColumns], y[kBlockRows];

  SPLAT_INLINE TileRays(const DistortionArgs& args, const TilePixels& pixels) {
    for (int i = 0; i < kBlockColumns; ++i) x[i] = (pixels.x[i] - FloatV(args.cx)) * FloatV(args.inv_fx);
    for (int i = 0; i < kBlockRows; ++i) y[i] = (pixels.y[i] - FloatV(args.cy)) * FloatV(args.inv_fy);
  }
  SPLAT_INLINE math::Vec3<FloatV> of(unsigned block) const {
    return {x[block_column(block)], y[block_row(block)], FloatV(1)};
  }
};
SPLAT_INLINE math::Vec3<FloatV> colour_of(const SplatRecord& r) {
  return {FloatV(r.red), FloatV(r.green), FloatV(r.blue)};
}

// What a block's pixels need of a splat, in all lanes. Forward and backward evaluate it in the very same way, so that
// the replay takes the same decisions.
struct SplatLanes {
  FloatV mean_x, mean_y;
  math::WeightForm<FloatV> form;

  SPLAT_INLINE explicit SplatLanes(const SplatRecord& r)
      : mean_x(r.mean_x),
        mean_y(r.mean_y),
        form{FloatV(r.form_xx), FloatV(r.form_xy), FloatV(r.form_yy), FloatV(r.log2_opacity)} {}
  SPLAT_INLINE FloatV alpha(FloatV x, FloatV y, FloatV alpha_max = FloatV(math::kAlphaMax)) const {
    return math::gaussian_weight(math::Vec2<FloatV>{x - mean_x, y - mean_y}, form, alpha_max).alpha;
  }
};

struct BlendLimits {
  FloatV alpha_max, transmittance_stop;
  SPLAT_INLINE explicit BlendLimits(const BlendArgs& args)
      : alpha_max(args.alpha_max), transmittance_stop(args.transmittance_stop) {}
};

// Bytes of an entry's mask of blocks; bit = block.
inline constexpr int kMaskBytes = int(mask_bytes(kLanes));
static_assert(kMaskBytes * 8 == kBlocks);
SPLAT_INLINE uint64_t load_block_mask(const uint8_t* masks, size_t entry) {
  uint64_t mask = 0;
  __builtin_memcpy(&mask, masks + entry * kMaskBytes, kMaskBytes);
  return mask;
}
SPLAT_INLINE void store_block_mask(uint64_t mask, uint8_t* masks, size_t entry) {
  __builtin_memcpy(masks + entry * kMaskBytes, &mask, kMaskBytes);
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
