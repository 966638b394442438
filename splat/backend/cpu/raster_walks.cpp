// Two more walks over a tile's list, for those who ask: sums of absolute gradients over pixels (gsplat's absgrad), and
// the pixels that a splat is seen at before half of the light is gone (MonoGS' n_touched).
#include "splat/backend/cpu/blocks.h"
#include "splat/backend/cpu/raster_rows.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

struct Replay {
  FloatV transmittance[kBlocks], behind[kBlocks];
};

SPLAT_INLINE void start(const RasterAbsoluteArgs& args, const TilePixels& pixels, size_t first_pixel, Replay& state) {
  const BlendArgs& blend = *args.blend;
  const int stride = blend.size.stride();
  for (unsigned b = 0; b < kBlocks; ++b) {
    const size_t at = first_pixel + block_offset(b, stride);
    state.transmittance[b] = pixels.initial_transmittance(b, blend.size);
    FloatV behind(0);
    if (blend.v_transmittance)
      behind = load_block(blend.v_transmittance + at, stride) * load_block(blend.transmittance + at, stride);
    for (int c = 0; c < args.count; ++c) {
      const size_t pixel = size_t(c) * blend.size.plane() + at;
      behind = fma(load_block(blend.v_image + pixel, stride), load_block(blend.image + pixel, stride), behind);
    }
    state.behind[b] = behind;
  }
}

}  // namespace

void raster_absolute(const RasterAbsoluteArgs& args, size_t tile) {
  const BlendArgs& blend = *args.blend;
  const int tile_x = int(tile % blend.size.tiles_x) * math::kTileSize;
  const int tile_y = int(tile / blend.size.tiles_x) * math::kTileSize;
  const TilePixels pixels(tile_x, tile_y);
  const size_t first_pixel = size_t(tile_y) * blend.size.stride() + tile_x;
  const BlendLimits limits(blend);
  Replay state;
  start(args, pixels, first_pixel, state);
  float* out = args.absolute + 2 * size_t(blend.tile_first_row[tile]);
  for (size_t at = blend.tile_first[tile]; at < blend.tile_end[tile]; ++at) {
    const uint64_t reached = load_block_mask(blend.block_masks, at);
    if (reached == 0) continue;
    const size_t record = blend.entries[at] >> 32;
    const SplatRecord& r = blend.records[record];
    const SplatLanes lanes(r);
    const math::Sym2<FloatV> conic = math::conic_of(lanes.form);
    const float* channels = args.channels + record * args.stride;
    FloatV x(0), y(0);
    for (uint64_t blocks = reached; blocks; blocks &= blocks - 1) {
      const unsigned b = unsigned(__builtin_ctzll(blocks));
      const size_t pixel = first_pixel + block_offset(b, blend.size.stride());
      FloatV h(0);
      for (int c = 0; c < args.count; ++c)
        h = fma(FloatV(channels[c]),
                load_block(blend.v_image + size_t(c) * blend.size.plane() + pixel, blend.size.stride()), h);
      const math::Vec2<FloatV> d{pixels.block_x(b) - lanes.mean_x, pixels.block_y(b) - lanes.mean_y};
      const math::GaussianWeight<FloatV> weight = math::gaussian_weight(d, lanes.form, limits.alpha_max);
      const FloatV w =
          math::blend_step_vjp(state.transmittance[b], state.behind[b], weight.alpha, math::alpha_odds(weight.alpha),
                               weight.alpha < limits.alpha_max, h, limits.transmittance_stop)
              .w;
      x += abs(w * fma(conic.xx, d.x, conic.xy * d.y));
      y += abs(w * fma(conic.xy, d.x, conic.yy * d.y));
    }
    *out++ = sum(x), *out++ = sum(y);
  }
}

void raster_touched(const RasterTouchedArgs& args, size_t tile) {
  const BlendArgs& blend = *args.blend;
  const int tile_x = int(tile % blend.size.tiles_x) * math::kTileSize;
  const int tile_y = int(tile / blend.size.tiles_x) * math::kTileSize;
  const TilePixels pixels(tile_x, tile_y);
  const BlendLimits limits(blend);
  FloatV transmittance[kBlocks];
  for (unsigned b = 0; b < kBlocks; ++b) transmittance[b] = pixels.initial_transmittance(b, blend.size);
  for (size_t at = blend.tile_first[tile]; at < blend.tile_end[tile]; ++at) {
    const size_t record = blend.entries[at] >> 32;
    const SplatLanes lanes(blend.records[record]);
    uint32_t count = 0;
    for (uint64_t blocks = load_block_mask(blend.block_masks, at); blocks; blocks &= blocks - 1) {
      const unsigned b = unsigned(__builtin_ctzll(blocks));
      const FloatV weight =
          math::blend_step(transmittance[b], lanes.alpha(pixels.block_x(b), pixels.block_y(b), limits.alpha_max),
                           limits.transmittance_stop);
      count += uint32_t(__builtin_popcount(bits((weight > FloatV(0)) & (transmittance[b] > FloatV(0.5)))));
    }
    if (count) __atomic_fetch_add(args.touched + record, count, __ATOMIC_RELAXED);
  }
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
