// Front-to-back blending of one tile. For each splat of its list, an exact test says which blocks of pixels it reaches;
// only those are evaluated, and the answer is kept for the backward pass.
#include "splat/backend/cpu/blocks.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

constexpr int kPrefetchAhead = 12;  // list entries

struct TileState {
  FloatV transmittance[kBlocks];
  math::Vec3<FloatV> colour[kBlocks];
  uint64_t live;  // bit = block with a pixel that is not finished
};

// Bit = block whose pixel centres the ellipse reaches. tile_x, tile_y: of the tile's corner, relative to the mean.
SPLAT_INLINE uint64_t reached_blocks(const SplatRecord& r, float tile_x, float tile_y) {
  constexpr int kRowGroups = kBlockRows > kLanes ? kBlockRows / kLanes : 1;
  constexpr int kColumnsAtOnce = kLanes > kBlockRows ? kLanes / kBlockRows : 1;
  const math::Ellipse<FloatV> e = record_ellipse(FloatV(r.t), FloatV(r.half_y), FloatV(r.slope_x_by_y),
                                                 FloatV(r.inv_yy), FloatV(r.conditional_xx), FloatV(r.y_at_right));
  const FloatV lane = lane_numbers(), lane_column = floor(lane * FloatV(1.0 / kBlockRows));
  const FloatV lane_row = lane - FloatV(kBlockRows) * lane_column;
  uint64_t reached = 0;
  for (int group = 0; group < kRowGroups; ++group) {
    const FloatV row = (kRowGroups > 1 ? lane + FloatV(group * kLanes) : lane_row) * FloatV(kBlockHeight);
    const FloatV y0 = row + FloatV(tile_y + 0.5f);
    FloatV left, right;
    const MaskV band = math::row_span(e, y0, y0 + FloatV(kBlockHeight - 1), left, right);
    const FloatV x0 = (kColumnsAtOnce > 1 ? lane_column * FloatV(kBlockWidth) : FloatV(0)) + FloatV(tile_x + 0.5f);
    const FloatV left_of = left - FloatV(kBlockWidth - 1);
    for (int column = 0; column < kBlockColumns; column += kColumnsAtOnce) {
      const FloatV x = x0 + FloatV(column * kBlockWidth);
      const MaskV meets = band & (x >= left_of) & (x <= right);
      reached |= uint64_t(bits(meets)) << (column * kBlockRows + group * kLanes);
    }
  }
  return reached;
}

// Pixels outside the image count as finished from the start.
SPLAT_INLINE void clear_state(TileState& state, const ImageSize& size, int tile_x, int tile_y) {
  state.live = 0;
  for (int b = 0; b < kBlocks; ++b) {
    const FloatV x = lane_x() + FloatV(tile_x + block_column(b) * kBlockWidth);
    const FloatV y = lane_y() + FloatV(tile_y + block_row(b) * kBlockHeight);
    const MaskV inside = (x < FloatV(size.width)) & (y < FloatV(size.height));
    state.transmittance[b] = select(inside, FloatV(1), FloatV(-1));
    state.colour[b] = {FloatV(0), FloatV(0), FloatV(0)};
    if (bits(inside)) state.live |= uint64_t(1) << b;
  }
}

SPLAT_INLINE void blend_blocks(TileState& state, const TileSplat& s, uint64_t blocks) {
  for (; blocks; blocks &= blocks - 1) {
    const int b = __builtin_ctzll(blocks);
    const FloatV alpha = math::gaussian_weight(block_offset_px(s, b), s.conic, s.opacity, s.threshold).alpha;
    FloatV transmittance = state.transmittance[b];
    const FloatV weight = math::blend_step(transmittance, alpha);
    state.transmittance[b] = transmittance;
    math::Vec3<FloatV>& colour = state.colour[b];
    colour.x = fma(weight, s.colour.x, colour.x);
    colour.y = fma(weight, s.colour.y, colour.y);
    colour.z = fma(weight, s.colour.z, colour.z);
    if (bits(math::is_live(transmittance)) == 0) state.live &= ~(uint64_t(1) << b);
  }
}

SPLAT_INLINE void write_tile(const BlendArgs& args, const TileState& state, size_t first_pixel) {
  const int stride = args.size.stride();
  const size_t plane = args.size.plane();
  for (int b = 0; b < kBlocks; ++b) {
    const size_t at = first_pixel + block_offset(b, stride);
    const FloatV final_t = math::final_transmittance(state.transmittance[b]);
    store_block(final_t, args.transmittance + at, stride);
    store_block(fma(final_t, FloatV(args.background[0]), state.colour[b].x), args.image + at, stride);
    store_block(fma(final_t, FloatV(args.background[1]), state.colour[b].y), args.image + plane + at, stride);
    store_block(fma(final_t, FloatV(args.background[2]), state.colour[b].z), args.image + 2 * plane + at, stride);
  }
}

}  // namespace

void blend_forward(const BlendArgs& args, size_t tile) {
  const int tile_x = int(tile % args.size.tiles_x) * math::kTileSize;
  const int tile_y = int(tile / args.size.tiles_x) * math::kTileSize;
  TileState state;
  clear_state(state, args.size, tile_x, tile_y);
  const size_t begin = args.tile_first[tile], end = args.tile_first[tile + 1];
  size_t at = begin;
  for (; at < end && state.live; ++at) {
    if (at + kPrefetchAhead < end) prefetch(args.records + (args.entries[at + kPrefetchAhead] >> 32));
    const SplatRecord& r = args.records[args.entries[at] >> 32];
    const uint64_t blocks = reached_blocks(r, float(tile_x) - r.mean_x, float(tile_y) - r.mean_y) & state.live;
    args.block_masks[at] = blocks;
    if (blocks) blend_blocks(state, tile_splat(r, float(tile_x), float(tile_y)), blocks);
  }
  args.tile_end[tile] = uint32_t(at);
  write_tile(args, state, size_t(tile_y) * args.size.stride() + tile_x);
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
