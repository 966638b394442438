// The adjoint of blending for one tile: the same walk again, front to back, over the blocks that forward evaluated.
// Each instance's sums over its pixels go to a row of its own (records.h says why). A batch of splats becomes one list
// of (splat, block) items, which three plain loops run over: weights, replay, sums. One loop for all of it takes about
// 1.5 times as long: its dependent instructions are a chain so long that the core's window holds hardly more than one
// item.
// Moments are summed about the tile's centre, where an item's products are constants, and shifted to the splat's mean
// once: over a tile they are at most 56 px^2, so that the shift costs a splat of the smallest size 8 of its 24 bits.
#include <type_traits>

#include "splat/backend/cpu/blocks.h"
#include "splat/math/distortion.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

constexpr int kBatch = 32;          // splats: keeps a batch in the first-level cache
constexpr int kPrefetchAhead = 12;  // list entries

struct ReplayState {
  FloatV transmittance[kBlocks];
  FloatV behind[kBlocks];  // math::blend_step_vjp
  math::Vec3<FloatV> v_pixel[kBlocks];
};

// With how far apart in depth splats as planes lie.
struct PlaneReplayState : ReplayState {
  TileRays rays;
  FloatV mean[kBlocks];
  math::Distortion<FloatV> distortion[kBlocks];

  SPLAT_INLINE PlaneReplayState(const BlendArgs& args, const TilePixels& pixels) : rays(args.distortion, pixels) {}
};
struct ColourReplayState : ReplayState {
  SPLAT_INLINE ColourReplayState(const BlendArgs&, const TilePixels&) {}
};

// With a fourth channel.
struct FourReplayState : ReplayState {
  FloatV v_fourth[kBlocks];
  SPLAT_INLINE FourReplayState(const BlendArgs&, const TilePixels&) {}
};

struct Batch {
  unsigned splats = 0, items = 0;
  const SplatRecord* records[kBatch];
  uint32_t row[kBatch];  // of moments
  unsigned end[kBatch];  // of the splat's items
  // By item; the list is written eight at a time.
  uint8_t splat[kBatch * kBlocks + 8], block[kBatch * kBlocks + 8];
  FloatV alpha[kBatch * kBlocks], odds[kBatch * kBlocks];  // then, in their places, the replay's weight and w
};
struct PlaneBatch : Batch {
  FloatV along_ray[kBatch * kBlocks];  // by item: what the gradient by the plane gets beside the pixel's
};

// Pixel centres from the tile's, px, and their products.
struct CentredPixels {
  FloatV x[kBlockColumns], y[kBlockRows], xx[kBlockColumns], yy[kBlockRows], xy[kBlocks];

  explicit CentredPixels(const TilePixels& pixels, float centre_x, float centre_y) {
    for (int i = 0; i < kBlockColumns; ++i) x[i] = pixels.x[i] - FloatV(centre_x), xx[i] = x[i] * x[i];
    for (int i = 0; i < kBlockRows; ++i) y[i] = pixels.y[i] - FloatV(centre_y), yy[i] = y[i] * y[i];
    for (int i = 0; i < kBlocks; ++i) xy[i] = x[block_column(i)] * y[block_row(i)];
  }
};

// The positions of the set bits of every byte, one byte each from the lowest.
struct BitPositions {
  uint64_t of[256];
  constexpr BitPositions() : of() {
    for (unsigned byte = 0; byte < 256; ++byte)
      for (unsigned bit = 0, n = 0; bit < 8; ++bit)
        if (byte >> bit & 1) of[byte] |= uint64_t(bit) << (8 * n++);
  }
};
constexpr BitPositions kBitPositions;

SPLAT_INLINE void start_replay(ReplayState& state, const BlendArgs& args, const TilePixels& pixels,
                               size_t first_pixel) {
  const int stride = args.size.stride();
  const size_t plane = args.size.plane();
  for (unsigned b = 0; b < kBlocks; ++b) {
    state.transmittance[b] = pixels.initial_transmittance(b, args.size);
    const size_t at = first_pixel + block_offset(b, stride);
    math::Vec3<FloatV>& g = state.v_pixel[b];
    g = {load_block(args.v_image + at, stride), load_block(args.v_image + plane + at, stride),
         load_block(args.v_image + 2 * plane + at, stride)};
    const math::Vec3<FloatV> colour{load_block(args.image + at, stride), load_block(args.image + plane + at, stride),
                                    load_block(args.image + 2 * plane + at, stride)};
    state.behind[b] = math::dot(g, colour);
    if (args.v_transmittance)
      state.behind[b] = fma(load_block(args.v_transmittance + at, stride), load_block(args.transmittance + at, stride),
                            state.behind[b]);
  }
}
SPLAT_INLINE void start_more(ColourReplayState&, const BlendArgs&, size_t) {}
SPLAT_INLINE void start_more(FourReplayState& state, const BlendArgs& args, size_t first_pixel) {
  const size_t plane = 3 * args.size.plane() + first_pixel;
  for (unsigned b = 0; b < kBlocks; ++b) {
    const size_t at = plane + block_offset(b, args.size.stride());
    state.v_fourth[b] = load_block(args.v_image + at, args.size.stride());
    state.behind[b] = fma(state.v_fourth[b], load_block(args.image + at, args.size.stride()), state.behind[b]);
  }
}
SPLAT_INLINE void start_more(PlaneReplayState& state, const BlendArgs& args, size_t first_pixel) {
  const int stride = args.size.stride();
  const float *by_weight = args.distortion.sums + first_pixel, *by_offset = by_weight + args.size.plane();
  for (unsigned b = 0; b < kBlocks; ++b) {
    const size_t at = block_offset(b, stride);
    state.mean[b] = load_block(args.distortion.means + first_pixel + at, stride);
    math::Distortion<FloatV>& d = state.distortion[b];
    d.by_weight = load_block(by_weight + at, stride), d.by_offset = load_block(by_offset + at, stride);
    d.value = (FloatV(1) - load_block(args.transmittance + first_pixel + at, stride)) * d.by_weight;
    state.behind[b] += d.value + d.value;
  }
}

// Appends a splat and its blocks, without a branch for each.
SPLAT_INLINE void append(Batch& batch, const SplatRecord* record, uint32_t row, uint64_t blocks) {
  constexpr uint64_t kEveryByte = 0x0101010101010101u;
  const unsigned splat = batch.splats++;
  batch.records[splat] = record;
  batch.row[splat] = row;
  const uint64_t splat_bytes = splat * kEveryByte;
  unsigned items = batch.items;
  for (unsigned byte = 0; byte < kMaskBytes; ++byte) {
    const unsigned bits = unsigned(blocks >> (8 * byte)) & 255;
    const uint64_t block_bytes = kBitPositions.of[bits] + 8 * byte * kEveryByte;
    __builtin_memcpy(batch.block + items, &block_bytes, 8);
    __builtin_memcpy(batch.splat + items, &splat_bytes, 8);
    items += unsigned(__builtin_popcount(bits));
  }
  batch.items = batch.end[splat] = items;
}

// Fills the batch with the list's entries from `at` on that have blocks; returns the entry after. `row` is that of the
// next one's moments.
SPLAT_INLINE size_t fill_batch(const BlendArgs& args, size_t at, size_t end, uint32_t& row, Batch& batch) {
  batch.splats = batch.items = 0;
  for (; at < end && batch.splats < kBatch; ++at) {
    if (at + kPrefetchAhead < end) prefetch(args.records + (args.entries[at + kPrefetchAhead] >> 32));
    const uint64_t blocks = load_block_mask(args.block_masks, at);
    const uint32_t instance = uint32_t(args.entries[at]);
    args.instance_row[instance] = blocks != 0 ? row : kNoRow;
    if (blocks == 0) continue;
    append(batch, args.records + (args.entries[at] >> 32), row++, blocks);
  }
  return at;
}

SPLAT_INLINE void find_weights(const TilePixels& pixels, FloatV alpha_max, Batch& batch) {
  for (unsigned i = 0; i < batch.items; ++i) {
    const SplatLanes lanes(*batch.records[batch.splat[i]]);
    const unsigned b = batch.block[i];
    batch.alpha[i] = lanes.alpha(pixels.block_x(b), pixels.block_y(b), alpha_max);
    batch.odds[i] = math::alpha_odds(batch.alpha[i]);
  }
}

// What an item's h has beside its colour.
SPLAT_INLINE FloatV more_h(const ColourReplayState&, const SplatRecord&, unsigned, FloatV h, Batch&, unsigned) {
  return h;
}
SPLAT_INLINE FloatV more_h(const FourReplayState& state, const SplatRecord& r, unsigned b, FloatV h, Batch&, unsigned) {
  return fma(FloatV(r.radius), state.v_fourth[b], h);
}
SPLAT_INLINE FloatV more_h(const PlaneReplayState& state, const SplatRecord& r, unsigned b, FloatV h, PlaneBatch& batch,
                           unsigned item) {
  const math::DistortionStep<FloatV> step =
      math::distortion_vjp(state.distortion[b], state.mean[b], math::dot(colour_of(r), state.rays.of(b)));
  batch.along_ray[item] = step.by_m;
  return h + step.by_w;
}

template <class State, class AnyBatch>
SPLAT_INLINE void replay(const BlendLimits& limits, State& state, AnyBatch& batch) {
  for (unsigned i = 0; i < batch.items; ++i) {
    const SplatRecord& r = *batch.records[batch.splat[i]];
    const unsigned b = batch.block[i];
    const FloatV h = more_h(state, r, b, math::dot(colour_of(r), state.v_pixel[b]), batch, i);
    const FloatV alpha = batch.alpha[i];
    const math::BlendGradient<FloatV> g =
        math::blend_step_vjp(state.transmittance[b], state.behind[b], alpha, batch.odds[i], alpha < limits.alpha_max, h,
                             limits.transmittance_stop);
    batch.alpha[i] = g.weight;
    batch.odds[i] = g.w;
  }
}

SPLAT_INLINE math::Vec3<FloatV> v_colour(const ReplayState& state, const Batch&, unsigned b, unsigned) {
  return state.v_pixel[b];
}
SPLAT_INLINE math::Vec3<FloatV> v_colour(const PlaneReplayState& state, const PlaneBatch& batch, unsigned b,
                                         unsigned item) {
  return state.v_pixel[b] + batch.along_ray[item] * state.rays.of(b);
}

// Lane by lane, about the tile's centre.
template <class State, class AnyBatch>
SPLAT_INLINE math::SplatMoments<FloatV> sum_items(const State& state, const CentredPixels& pixels,
                                                  const AnyBatch& batch, unsigned begin, unsigned end) {
  math::SplatMoments<FloatV> m = math::zero_moments<FloatV>();
  for (unsigned i = begin; i < end; ++i) {
    const unsigned b = batch.block[i], column = block_column(b), row = block_row(b);
    math::add_moments(m, {pixels.x[column], pixels.y[row], pixels.xx[column], pixels.xy[b], pixels.yy[row]},
                      batch.odds[i], batch.alpha[i], v_colour(state, batch, b, i));
  }
  return m;
}

SPLAT_INLINE float v_fourth(const FourReplayState& state, const Batch& batch, unsigned begin, unsigned end) {
  FloatV total(0);
  for (unsigned i = begin; i < end; ++i) total = fma(batch.alpha[i], state.v_fourth[batch.block[i]], total);
  return sum(total);
}

SPLAT_INLINE void store_moments(const math::SplatMoments<FloatV>& m, float* out) {
  const FloatV eight[8] = {m.w, m.wx, m.wy, m.wxx, m.wxy, m.wyy, m.v_colour.x, m.v_colour.y};
  store_sums(eight, out);
  out[8] = sum(m.v_colour.z);
}

template <class State, class AnyBatch>
SPLAT_INLINE void blend_tile_backward(const BlendArgs& args, size_t tile) {
  constexpr bool kFour = std::is_same_v<State, FourReplayState>;
  constexpr size_t kRowFloats = kInstanceFloats + kFour;
  const int tile_x = int(tile % args.size.tiles_x) * math::kTileSize;
  const int tile_y = int(tile / args.size.tiles_x) * math::kTileSize;
  const TilePixels pixels(tile_x, tile_y);
  const size_t first_pixel = size_t(tile_y) * args.size.stride() + tile_x;
  State state(args, pixels);
  start_replay(state, args, pixels, first_pixel);
  start_more(state, args, first_pixel);
  const size_t begin = args.tile_first[tile], blended_end = args.tile_end[tile], end = args.tile_first[tile + 1];
  const float centre_x = float(tile_x) + kTileSpan / 2, centre_y = float(tile_y) + kTileSpan / 2;
  const CentredPixels centred(pixels, centre_x, centre_y);
  const BlendLimits limits(args);
  uint32_t row = args.tile_first_row[tile];
  AnyBatch batch;
  for (size_t at = begin; at < blended_end;) {
    at = fill_batch(args, at, blended_end, row, batch);
    find_weights(pixels, limits.alpha_max, batch);
    replay(limits, state, batch);
    for (unsigned i = 0; i < batch.splats; ++i) {
      const SplatRecord& r = *batch.records[i];
      const math::Vec2<FloatV> mean{FloatV(r.mean_x - centre_x), FloatV(r.mean_y - centre_y)};
      const unsigned first_item = i == 0 ? 0 : batch.end[i - 1], end_item = batch.end[i];
      float* const out = args.moments + size_t(batch.row[i]) * kRowFloats;
      store_moments(math::shift_moments(sum_items(state, centred, batch, first_item, end_item), mean), out);
      if constexpr (kFour) out[kInstanceFloats] = v_fourth(state, batch, first_item, end_item);
    }
  }
  for (size_t at = blended_end; at < end; ++at) args.instance_row[uint32_t(args.entries[at])] = kNoRow;
}

}  // namespace

void blend_backward(const BlendArgs& args, size_t tile) {
  if (args.distortion.sums)
    blend_tile_backward<PlaneReplayState, PlaneBatch>(args, tile);
  else if (args.four)
    blend_tile_backward<FourReplayState, Batch>(args, tile);
  else
    blend_tile_backward<ColourReplayState, Batch>(args, tile);
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
