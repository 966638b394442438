// The depth of what the pixels of one tile show: the forward pass again, over the blocks of pixels that it noted.
#include "splat/backend/cpu/blocks.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

constexpr size_t kPrefetchAhead = 12;  // list entries

struct TileState {
  FloatV transmittance[kBlocks], median[kBlocks];
  FloatV weight[kBlocks], weight_depth[kBlocks], weight_depth2[kBlocks];
};

SPLAT_INLINE void blend_splat(const TilePixels& pixels, const SplatRecord& r, FloatV depth, uint64_t blocks,
                              TileState& state) {
  const SplatLanes lanes(r);
  for (; blocks; blocks &= blocks - 1) {
    const int b = __builtin_ctzll(blocks);
    const FloatV weight = math::blend_step(state.transmittance[b], lanes.alpha(pixels.block_x(b), pixels.block_y(b)));
    const FloatV weight_depth = weight * depth;
    state.weight[b] += weight;
    state.weight_depth[b] += weight_depth;
    state.weight_depth2[b] = fma(weight_depth, depth, state.weight_depth2[b]);
    const MaskV is_median = (state.median[b] <= FloatV(0)) & math::passes_median(state.transmittance[b]);
    state.median[b] = select(is_median, depth, state.median[b]);
  }
}

SPLAT_INLINE void write_tile(const DepthArgs& args, const TileState& state, size_t first_pixel) {
  const int stride = args.size.stride();
  const size_t plane = args.size.plane();
  for (int b = 0; b < kBlocks; ++b) {
    const size_t at = first_pixel + block_offset(b, stride);
    if (args.median) store_block(state.median[b], args.median + at, stride);
    if (!args.moments) continue;
    store_block(state.weight[b], args.moments + at, stride);
    store_block(state.weight_depth[b], args.moments + plane + at, stride);
    store_block(state.weight_depth2[b], args.moments + 2 * plane + at, stride);
  }
}

}  // namespace

void depth(const DepthArgs& args, size_t tile) {
  const int tile_x = int(tile % args.size.tiles_x) * math::kTileSize;
  const int tile_y = int(tile / args.size.tiles_x) * math::kTileSize;
  const TilePixels pixels(tile_x, tile_y);
  TileState state;
  for (int b = 0; b < kBlocks; ++b) {
    state.transmittance[b] = pixels.initial_transmittance(b, args.size);
    state.median[b] = state.weight[b] = state.weight_depth[b] = state.weight_depth2[b] = FloatV(0);
  }
  const size_t end = args.tile_end[tile];
  for (size_t at = args.tile_first[tile]; at < end; ++at) {
    if (at + kPrefetchAhead < end) prefetch(args.records + (args.entries[at + kPrefetchAhead] >> 32));
    const uint64_t blocks = load_block_mask(args.block_masks, at);
    if (blocks == 0) continue;
    const size_t record = args.entries[at] >> 32;
    blend_splat(pixels, args.records[record], FloatV(args.depths[record]), blocks, state);
  }
  write_tile(args, state, size_t(tile_y) * args.size.stride() + tile_x);
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
