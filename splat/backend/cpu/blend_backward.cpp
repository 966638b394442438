// The adjoint of blending for one tile: the same walk again, front to back, over the blocks that forward evaluated.
// Each instance's sums over its pixels go to a row of its own (records.h says why). Two loops over a splat's blocks,
// the replay and then the sums, each fit the registers; one loop for both would keep its nine sums in memory.
#include "splat/backend/cpu/blocks.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

constexpr int kPrefetchAhead = 12;  // list entries

struct ReplayState {
  FloatV transmittance[kBlocks];
  FloatV behind[kBlocks];  // math::blend_step_vjp
  math::Vec3<FloatV> v_pixel[kBlocks];
};

struct Replayed {
  int count = 0;
  int block[kBlocks];
  math::BlendGradient<FloatV> gradient[kBlocks];
};

SPLAT_INLINE void start_replay(ReplayState& state, const BlendArgs& args, const TilePixels& pixels,
                               size_t first_pixel) {
  const int stride = args.size.stride();
  const size_t plane = args.size.plane();
  for (int b = 0; b < kBlocks; ++b) {
    state.transmittance[b] = pixels.initial_transmittance(b, args.size);
    const size_t at = first_pixel + block_offset(b, stride);
    math::Vec3<FloatV>& g = state.v_pixel[b];
    g = {load_block(args.v_image + at, stride), load_block(args.v_image + plane + at, stride),
         load_block(args.v_image + 2 * plane + at, stride)};
    const math::Vec3<FloatV> colour{load_block(args.image + at, stride), load_block(args.image + plane + at, stride),
                                    load_block(args.image + 2 * plane + at, stride)};
    state.behind[b] = math::dot(g, colour);
  }
}

SPLAT_INLINE void replay_blocks(ReplayState& state, const TilePixels& pixels, const SplatRecord& r,
                                const SplatLanes<FloatV>& lanes, uint64_t blocks, Replayed& out) {
  const math::Vec3<FloatV> colour{FloatV(r.red), FloatV(r.green), FloatV(r.blue)};
  int count = 0;
  for (; blocks; blocks &= blocks - 1, ++count) {
    const int b = __builtin_ctzll(blocks);
    const auto weight = lanes.weight(lanes.offset(pixels.block_x(b), pixels.block_y(b)));
    out.block[count] = b;
    out.gradient[count] = math::blend_step_vjp(state.transmittance[b], state.behind[b], weight.alpha, weight.unclamped,
                                               math::dot(colour, state.v_pixel[b]));
  }
  out.count = count;
}

SPLAT_INLINE math::SplatMoments<FloatV> sum_blocks(const ReplayState& state, const TilePixels& pixels,
                                                   const SplatLanes<FloatV>& lanes, const Replayed& replayed) {
  math::SplatMoments<FloatV> moments = math::zero_moments<FloatV>();
  for (int k = 0; k < replayed.count; ++k) {
    const int b = replayed.block[k];
    math::add_moments(moments, lanes.offset(pixels.block_x(b), pixels.block_y(b)), replayed.gradient[k].w,
                      replayed.gradient[k].weight, state.v_pixel[b]);
  }
  return moments;
}

SPLAT_INLINE void store_moments(const math::SplatMoments<FloatV>& m, float* out) {
  const FloatV eight[8] = {m.w, m.wx, m.wy, m.wxx, m.wxy, m.wyy, m.v_colour.x, m.v_colour.y};
  store_sums(eight, out);
  out[8] = sum(m.v_colour.z);
}

}  // namespace

void blend_backward(const BlendArgs& args, size_t tile) {
  const int tile_x = int(tile % args.size.tiles_x) * math::kTileSize;
  const int tile_y = int(tile / args.size.tiles_x) * math::kTileSize;
  const TilePixels pixels(tile_x, tile_y);
  ReplayState state;
  start_replay(state, args, pixels, size_t(tile_y) * args.size.stride() + tile_x);
  Replayed replayed;
  const size_t begin = args.tile_first[tile], blended_end = args.tile_end[tile], end = args.tile_first[tile + 1];
  for (size_t at = begin; at < blended_end; ++at) {
    if (at + kPrefetchAhead < blended_end) prefetch(args.records + (args.entries[at + kPrefetchAhead] >> 32));
    const uint64_t blocks = load_block_mask(args.block_masks, at);
    const uint32_t instance = uint32_t(args.entries[at]);
    args.contributed[instance] = blocks != 0;
    if (blocks == 0) continue;
    const SplatRecord& r = args.records[args.entries[at] >> 32];
    const auto lanes = splat_lanes<FloatV>([&r](float SplatRecord::*field) SPLAT_LAMBDA { return FloatV(r.*field); });
    replay_blocks(state, pixels, r, lanes, blocks, replayed);
    store_moments(sum_blocks(state, pixels, lanes, replayed),
                  args.instance_moments + size_t(instance) * kInstanceFloats);
  }
  for (size_t at = blended_end; at < end; ++at) args.contributed[uint32_t(args.entries[at])] = 0;
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
