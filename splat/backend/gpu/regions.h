// How a 16x16 tile is shared out: four waves, one 8x8 region each. A wave of 64 has one pixel a lane, a wave of 32 two,
// four rows apart. Splats are taken in batches through LDS; each wave first tests a batch's splats against its region,
// one a lane, and walks the survivors together. For kernels.
#pragma once

#include "splat/backend/gpu/kernels.h"
#include "splat/math/blend.h"
#include "splat/math/tile_bounds.h"

namespace splat::gpu {

inline constexpr int kRegionSize = 8;  // px
inline constexpr int kWavesPerTile = 4;
inline constexpr int kBatch = 128;  // splats
template <int kWave>
inline constexpr int kPixelsPerLane = kRegionSize* kRegionSize / kWave;

SPLAT_DEVICE math::WeightForm<float> weight_form(const SplatRecord& r) {
  return {r.form_xx, r.form_xy, r.form_yy, r.log2_opacity};
}

struct Region {
  int x0, y0;  // px, of the first pixel

  template <int kWave>
  static SPLAT_DEVICE Region of_wave(const ImageSize& size) {
    const int wave = int(threadIdx.x / kWave), tile = int(blockIdx.x);
    return {tile % size.tiles_x * math::kTileSize + wave % 2 * kRegionSize,
            tile / size.tiles_x * math::kTileSize + wave / 2 * kRegionSize};
  }
  // Pixel p of this lane.
  template <int kWave>
  SPLAT_DEVICE int x() const {
    return x0 + int(threadIdx.x % kRegionSize);
  }
  template <int kWave>
  SPLAT_DEVICE int y(int p) const {
    return y0 + int(threadIdx.x % kWave / kRegionSize) + p * (kWave / kRegionSize);
  }
  // Does the splat reach a pixel centre of the region?
  SPLAT_DEVICE bool reached_by(const SplatRecord& r) const {
    const math::EllipseForm<float> e = math::ellipse_form(r.t, math::conic_of(weight_form(r)));
    const float left = float(x0) + 0.5f - r.mean_x, top = float(y0) + 0.5f - r.mean_y;
    return math::reaches_rectangle(e, left, left + float(kRegionSize - 1), top, top + float(kRegionSize - 1));
  }
};

SPLAT_DEVICE math::Vec3<float> colour_of(const SplatRecord& r) { return {r.red, r.green, r.blue}; }

// Through a pixel's centre, px.
SPLAT_DEVICE math::Vec3<float> ray_of(const DistortionArgs& args, float x, float y) {
  return {(x - args.cx) / args.fx, (y - args.cy) / args.fy, 1};
}

// Forward and backward evaluate it in the very same way, so that the replay takes the same decisions. With x and y in
// each other's place: the terms that are left of x alone are the same for all pixels of a lane, which lie in a column.
SPLAT_DEVICE math::GaussianWeight<float> weight_at(const SplatRecord& r, const math::Vec2<float>& offset,
                                                   float alpha_max = float(math::kAlphaMax)) {
  return math::gaussian_weight({offset.y, offset.x},
                               math::WeightForm<float>{r.form_yy, r.form_xy, r.form_xx, r.log2_opacity}, alpha_max);
}

}  // namespace splat::gpu
