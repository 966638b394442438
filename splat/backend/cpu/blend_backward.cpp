// The adjoint of blending for one tile: the same walk again, front to back, over the blocks that forward evaluated.
// Each instance's sums over its pixels go to a row of its own (records.h says why).
#include "splat/backend/cpu/blocks.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

constexpr int kPrefetchAhead = 12;  // list entries

struct ReplayState {
  FloatV transmittance[kBlocks];
  FloatV behind[kBlocks];  // math::blend_step_vjp
  math::Vec3<FloatV> v_pixel[kBlocks];
};

SPLAT_INLINE void start_replay(ReplayState& state, const BlendArgs& args, int tile_x, int tile_y) {
  const int stride = args.size.stride();
  const size_t plane = args.size.plane(), first_pixel = size_t(tile_y) * stride + tile_x;
  for (int b = 0; b < kBlocks; ++b) {
    const FloatV x = lane_x() + FloatV(tile_x + block_column(b) * kBlockWidth);
    const FloatV y = lane_y() + FloatV(tile_y + block_row(b) * kBlockHeight);
    const MaskV inside = (x < FloatV(args.size.width)) & (y < FloatV(args.size.height));
    state.transmittance[b] = select(inside, FloatV(1), FloatV(-1));
    const size_t at = first_pixel + block_offset(b, stride);
    math::Vec3<FloatV>& g = state.v_pixel[b];
    g = {load_block(args.v_image + at, stride), load_block(args.v_image + plane + at, stride),
         load_block(args.v_image + 2 * plane + at, stride)};
    const math::Vec3<FloatV> colour{load_block(args.image + at, stride), load_block(args.image + plane + at, stride),
                                    load_block(args.image + 2 * plane + at, stride)};
    state.behind[b] = math::dot(g, colour);
  }
}

SPLAT_INLINE math::SplatMoments<FloatV> replay_blocks(ReplayState& state, const TileSplat& s, uint64_t blocks) {
  math::SplatMoments<FloatV> moments = math::zero_moments<FloatV>();
  for (; blocks; blocks &= blocks - 1) {
    const int b = __builtin_ctzll(blocks);
    const math::Vec2<FloatV> d = block_offset_px(s, b);
    const math::GaussianWeight<FloatV> weight = math::gaussian_weight(d, s.conic, s.opacity, s.threshold);
    const math::Vec3<FloatV> g = state.v_pixel[b];
    FloatV transmittance = state.transmittance[b], behind = state.behind[b];
    const math::BlendGradient<FloatV> gradient =
        math::blend_step_vjp(transmittance, behind, weight.alpha, weight.unclamped, math::dot(s.colour, g));
    state.transmittance[b] = transmittance;
    state.behind[b] = behind;
    math::add_moments(moments, d, gradient.w, gradient.weight, g);
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
  ReplayState state;
  start_replay(state, args, tile_x, tile_y);
  const size_t begin = args.tile_first[tile], blended_end = args.tile_end[tile], end = args.tile_first[tile + 1];
  for (size_t at = begin; at < blended_end; ++at) {
    if (at + kPrefetchAhead < blended_end) prefetch(args.records + (args.entries[at + kPrefetchAhead] >> 32));
    const uint64_t blocks = args.block_masks[at];
    const uint32_t instance = uint32_t(args.entries[at]);
    args.contributed[instance] = blocks != 0;
    if (blocks == 0) continue;
    const SplatRecord& r = args.records[args.entries[at] >> 32];
    const math::SplatMoments<FloatV> moments =
        replay_blocks(state, tile_splat(r, float(tile_x), float(tile_y)), blocks);
    store_moments(moments, args.instance_moments + size_t(instance) * kInstanceFloats);
  }
  for (size_t at = blended_end; at < end; ++at) args.contributed[uint32_t(args.entries[at])] = 0;
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
