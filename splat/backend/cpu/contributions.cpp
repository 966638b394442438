// What each splat adds to the picture: the forward pass of one tile again, splat by splat, over the blocks of pixels
// that it noted. Tiles add to the same splats' sums side by side, in whole numbers (contribution_sum.h).
#include "splat/backend/cpu/blocks.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

constexpr size_t kPrefetchAhead = 12;  // list entries

struct TileState {
  FloatV transmittance[kBlocks];
  MaskV counted[kBlocks];
  uint64_t blocks;  // bit = block with a pixel that counts
};

struct TileSum {
  float weight, max_weight;
  uint32_t pixels;
};

SPLAT_INLINE void start(TileState& state, const ContributionArgs& args, const TilePixels& pixels, size_t first_pixel) {
  state.blocks = 0;
  for (int b = 0; b < kBlocks; ++b) {
    const FloatV transmittance = pixels.initial_transmittance(b, args.size);
    state.transmittance[b] = transmittance;
    state.counted[b] = math::is_live(transmittance);
    if (args.counted) {
      const int stride = args.size.stride();
      state.counted[b] = load_block(args.counted + first_pixel + block_offset(b, stride), stride) > FloatV(0);
    }
    if (bits(state.counted[b])) state.blocks |= uint64_t(1) << b;
  }
}

SPLAT_INLINE TileSum blend_splat(const ContributionArgs& args, const TilePixels& pixels, const SplatRecord& r,
                                 uint64_t blocks, TileState& state) {
  const SplatLanes lanes(r);
  FloatV total(0), most(0), seen(0);
  for (; blocks; blocks &= blocks - 1) {
    const int b = __builtin_ctzll(blocks);
    const FloatV blended = math::blend_step(state.transmittance[b], lanes.alpha(pixels.block_x(b), pixels.block_y(b)));
    const FloatV weight = zero_unless(state.counted[b], blended);
    total += weight;
    most = max(most, weight);
    seen += zero_unless(weight >= FloatV(args.min_weight), FloatV(1));
  }
  return {sum(total), largest(most), uint32_t(sum(seen))};
}

SPLAT_INLINE void add(ContributionSum& to, const TileSum& tile) {
  __atomic_fetch_add(&to.weight, static_cast<unsigned long long>(tile.weight * float(kWeightUnits)), __ATOMIC_RELAXED);
  if (tile.pixels) __atomic_fetch_add(&to.pixels, tile.pixels, __ATOMIC_RELAXED);
  uint32_t most;
  __builtin_memcpy(&most, &tile.max_weight, sizeof most);
  uint32_t before = __atomic_load_n(&to.max_weight_bits, __ATOMIC_RELAXED);
  while (before < most &&
         !__atomic_compare_exchange_n(&to.max_weight_bits, &before, most, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

}  // namespace

void contributions(const ContributionArgs& args, size_t tile) {
  if (args.tile_counted && !args.tile_counted[tile]) return;
  const int tile_x = int(tile % args.size.tiles_x) * math::kTileSize;
  const int tile_y = int(tile / args.size.tiles_x) * math::kTileSize;
  const TilePixels pixels(tile_x, tile_y);
  TileState state;
  start(state, args, pixels, size_t(tile_y) * args.size.stride() + tile_x);
  const size_t end = args.tile_end[tile];
  for (size_t at = args.tile_first[tile]; at < end; ++at) {
    if (at + kPrefetchAhead < end) prefetch(args.records + (args.entries[at + kPrefetchAhead] >> 32));
    const uint64_t blocks = load_block_mask(args.block_masks, at) & state.blocks;
    if (blocks == 0) continue;
    const size_t record = args.entries[at] >> 32;
    const TileSum tile_sum = blend_splat(args, pixels, args.records[record], blocks, state);
    if (tile_sum.weight > 0) add(args.sums[record], tile_sum);
  }
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
