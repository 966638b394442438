// Front-to-back blending of one tile. An exact test says which blocks of pixels each splat of the list reaches; only
// those are evaluated, and the answer is kept for the backward pass. Lists are taken in batches of 64 splats: first all
// tests, whose bits are then transposed from blocks by splat to splats by block, then one block after the other, its
// pixels held in registers. Splat by splat, with pixels in memory and a loop of a few blocks for each, is half as fast.
#include <type_traits>

#include "splat/backend/cpu/blocks.h"
#include "splat/math/distortion.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

constexpr int kBatch = 64;          // splats; bits of a word
constexpr int kPrefetchAhead = 12;  // list entries

struct Pixels {
  FloatV transmittance;
  math::Vec3<FloatV> colour;
};

// Blends splats as planes, with their depth distortion.
struct PlanePixels : Pixels {
  math::DepthSquares<FloatV> squares;
};

// With a fourth channel.
struct FourPixels : Pixels {
  FloatV fourth;
};

template <class P>
struct TileState {
  P pixels[kBlocks];
  uint64_t live;  // bit = block with a pixel that is not finished
};

struct NoRays {
  SPLAT_INLINE NoRays(const DistortionArgs&, const TilePixels&) {}
  SPLAT_INLINE NoRays of(unsigned) const { return *this; }
};
template <class P>
using RaysOf = std::conditional_t<std::is_same_v<P, PlanePixels>, TileRays, NoRays>;

SPLAT_INLINE void blend_more(const SplatRecord&, FloatV, FloatV, const NoRays&, Pixels&) {}
SPLAT_INLINE void blend_more(const SplatRecord& r, FloatV, FloatV weight, const NoRays&, FourPixels& p) {
  p.fourth = fma(weight, FloatV(r.radius), p.fourth);
}
SPLAT_INLINE void blend_more(const SplatRecord& r, FloatV transmittance, FloatV weight, const math::Vec3<FloatV>& ray,
                             PlanePixels& p) {
  math::add_depth_square(p.squares, transmittance, weight, math::dot(colour_of(r), ray));
}

struct Batch {
  const SplatRecord* splats[kBatch];
  uint8_t masks[kMaskBytes][kBatch];  // [block / 8][splat], bit = block % 8
  uint64_t reached_by[kBlocks];       // bit = splat
};

// Bit = block whose pixel centres the ellipse reaches. tile_x, tile_y: of the tile's corner, relative to the mean.
SPLAT_INLINE uint64_t reached_blocks(const SplatRecord& r, float tile_x, float tile_y) {
  constexpr int kRowGroups = kBlockRows > kLanes ? kBlockRows / kLanes : 1;
  constexpr int kColumnsAtOnce = kLanes > kBlockRows ? kLanes / kBlockRows : 1;
  const math::EllipseRows<FloatV> e{FloatV(r.t),      FloatV(r.half_y),         FloatV(r.slope_x_by_y),
                                    FloatV(r.inv_yy), FloatV(r.conditional_xx), FloatV(r.y_at_right)};
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

template <class P>
SPLAT_INLINE void clear_state(TileState<P>& state, const TilePixels& pixels, const ImageSize& size) {
  state.live = 0;
  for (int b = 0; b < kBlocks; ++b) {
    const FloatV transmittance = pixels.initial_transmittance(b, size);
    P& p = state.pixels[b];
    p.transmittance = transmittance;
    p.colour = {FloatV(0), FloatV(0), FloatV(0)};
    if constexpr (std::is_same_v<P, PlanePixels>) p.squares = {FloatV(0), FloatV(0)};
    if constexpr (std::is_same_v<P, FourPixels>) p.fourth = FloatV(0);
    if (bits(math::is_live(transmittance))) state.live |= uint64_t(1) << b;
  }
}

// Tests the list's entries [first, first + n) and fills the batch.
SPLAT_INLINE void test_batch(const BlendArgs& args, size_t first, size_t end, int n, float tile_x, float tile_y,
                             uint64_t live, Batch& batch) {
  const uint64_t* entries = args.entries + first;
  const int listed = int(end - first);
  for (int i = 0; i < n; ++i) {
    if (i + kPrefetchAhead < listed) prefetch(args.records + (entries[i + kPrefetchAhead] >> 32));
    const SplatRecord& r = args.records[entries[i] >> 32];
    const uint64_t mask = reached_blocks(r, tile_x - r.mean_x, tile_y - r.mean_y) & live;
    store_block_mask(mask, args.block_masks, first + i);
    batch.splats[i] = &r;
    for (int byte = 0; byte < kMaskBytes; ++byte) batch.masks[byte][i] = uint8_t(mask >> (8 * byte));
  }
  for (int byte = 0; byte < kMaskBytes; ++byte) {
    for (int i = n; i < kBatch; ++i) batch.masks[byte][i] = 0;
    transpose_bits(batch.masks[byte], batch.reached_by + 8 * byte);
  }
}

// Blends the splats of a word into one block. Returns those left over once every pixel is finished, else 0.
template <class P, class Ray>
SPLAT_INLINE uint64_t blend_block(const Batch& batch, uint64_t splats, FloatV x, FloatV y, const BlendLimits& limits,
                                  const Ray& ray, P& pixels) {
  P p = pixels;
  bool live = true;
  for (; splats && live; splats &= splats - 1) {
    const SplatRecord& r = *batch.splats[__builtin_ctzll(splats)];
    const SplatLanes lanes(r);
    const FloatV before = p.transmittance;
    const FloatV weight =
        math::blend_step(p.transmittance, lanes.alpha(x, y, limits.alpha_max), limits.transmittance_stop);
    blend_more(r, before, weight, ray, p);
    p.colour.x = fma(weight, FloatV(r.red), p.colour.x);
    p.colour.y = fma(weight, FloatV(r.green), p.colour.y);
    p.colour.z = fma(weight, FloatV(r.blue), p.colour.z);
    live = bits(math::is_live(p.transmittance)) != 0;
  }
  pixels = p;
  return live ? 0 : splats;
}

template <class P>
SPLAT_INLINE void blend_batch(const BlendArgs& args, const TilePixels& pixels, const RaysOf<P>& rays, size_t first,
                              const Batch& batch, TileState<P>& state) {
  const BlendLimits limits(args);
  for (uint64_t blocks = state.live; blocks; blocks &= blocks - 1) {
    const int b = __builtin_ctzll(blocks);
    if (batch.reached_by[b] == 0) continue;
    P& p = state.pixels[b];
    uint64_t left_over =
        blend_block(batch, batch.reached_by[b], pixels.block_x(b), pixels.block_y(b), limits, rays.of(unsigned(b)), p);
    if (bits(math::is_live(p.transmittance))) continue;
    state.live &= ~(uint64_t(1) << b);
    for (; left_over; left_over &= left_over - 1) {  // backward need not look at them either
      const size_t entry = first + __builtin_ctzll(left_over);
      store_block_mask(load_block_mask(args.block_masks, entry) & ~(uint64_t(1) << b), args.block_masks, entry);
    }
  }
}

SPLAT_INLINE uint32_t count_contributing(const BlendArgs& args, size_t begin, size_t end) {
  uint32_t count = 0;
  for (size_t entry = begin; entry < end; ++entry) count += load_block_mask(args.block_masks, entry) != 0;
  return count;
}

template <class P>
SPLAT_INLINE void write_tile(const BlendArgs& args, const TileState<P>& state, size_t first_pixel) {
  const int stride = args.size.stride();
  const size_t plane = args.size.plane();
  for (int b = 0; b < kBlocks; ++b) {
    const size_t at = first_pixel + block_offset(b, stride);
    const math::Vec3<FloatV>& colour = state.pixels[b].colour;
    const FloatV final_t = math::final_transmittance(state.pixels[b].transmittance);
    store_block(final_t, args.transmittance + at, stride);
    store_block(fma(final_t, FloatV(args.background[0]), colour.x), args.image + at, stride);
    store_block(fma(final_t, FloatV(args.background[1]), colour.y), args.image + plane + at, stride);
    store_block(fma(final_t, FloatV(args.background[2]), colour.z), args.image + 2 * plane + at, stride);
    if constexpr (std::is_same_v<P, PlanePixels>) {
      store_block(state.pixels[b].squares.origin, args.distortion.sums + at, stride);
      store_block(state.pixels[b].squares.sum, args.distortion.sums + plane + at, stride);
    }
    if constexpr (std::is_same_v<P, FourPixels>)
      store_block(fma(final_t, FloatV(args.background[3]), state.pixels[b].fourth), args.image + 3 * plane + at,
                  stride);
  }
}

template <class P>
SPLAT_INLINE void blend_tile(const BlendArgs& args, size_t tile) {
  const int tile_x = int(tile % args.size.tiles_x) * math::kTileSize;
  const int tile_y = int(tile / args.size.tiles_x) * math::kTileSize;
  const TilePixels pixels(tile_x, tile_y);
  const RaysOf<P> rays(args.distortion, pixels);
  TileState<P> state;
  clear_state(state, pixels, args.size);
  const size_t begin = args.tile_first[tile], end = args.tile_first[tile + 1];
  size_t at = begin;
  Batch batch;
  while (at < end && state.live) {
    const int n = end - at < size_t(kBatch) ? int(end - at) : kBatch;
    test_batch(args, at, end, n, float(tile_x), float(tile_y), state.live, batch);
    blend_batch(args, pixels, rays, at, batch, state);
    at += n;
  }
  args.tile_end[tile] = uint32_t(at);
  args.tile_contributing[tile] = count_contributing(args, begin, at);
  write_tile(args, state, size_t(tile_y) * args.size.stride() + tile_x);
}

}  // namespace

void blend_forward(const BlendArgs& args, size_t tile) {
  if (args.distortion.sums)
    blend_tile<PlanePixels>(args, tile);
  else if (args.four)
    blend_tile<FourPixels>(args, tile);
  else
    blend_tile<Pixels>(args, tile);
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
