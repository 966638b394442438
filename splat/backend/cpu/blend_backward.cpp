// The adjoint of blending for one tile: the same walk again, front to back, over the blocks that forward evaluated.
// Each instance's sums over its pixels go to a row of its own (records.h says why). A batch of splats becomes one list
// of (splat, block) items, which three plain loops run over: weights, replay, sums. One loop for all of it is half as
// fast again: its dependent instructions are a chain so long that the core's window holds hardly more than one item.
#include "splat/backend/cpu/blocks.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {
namespace {

constexpr int kBatch = 32;          // splats: keeps a batch in the first-level cache
constexpr int kPrefetchAhead = 12;  // list entries

struct ReplayState {
  FloatV transmittance[kBlocks];
  FloatV behind[kBlocks];  // math::blend_step_vjp
  math::Vec3<FloatV> v_pixel[kBlocks];
};

struct Batch {
  unsigned splats = 0, items = 0;
  const SplatRecord* records[kBatch];
  uint32_t instance[kBatch];
  unsigned end[kBatch];  // of the splat's items
  // By item; the list is written eight at a time.
  uint8_t splat[kBatch * kBlocks + 8], block[kBatch * kBlocks + 8];
  FloatV alpha[kBatch * kBlocks];
  math::BlendGradient<FloatV> gradient[kBatch * kBlocks];
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
  }
}

// Appends a splat and its blocks, without a branch for each.
SPLAT_INLINE void append(Batch& batch, const SplatRecord* record, uint32_t instance, uint64_t blocks) {
  constexpr uint64_t kEveryByte = 0x0101010101010101u;
  const unsigned splat = batch.splats++;
  batch.records[splat] = record;
  batch.instance[splat] = instance;
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

// Fills the batch with the list's entries from `at` on that have blocks; returns the entry after.
SPLAT_INLINE size_t fill_batch(const BlendArgs& args, size_t at, size_t end, Batch& batch) {
  batch.splats = batch.items = 0;
  for (; at < end && batch.splats < kBatch; ++at) {
    if (at + kPrefetchAhead < end) prefetch(args.records + (args.entries[at + kPrefetchAhead] >> 32));
    const uint64_t blocks = load_block_mask(args.block_masks, at);
    const uint32_t instance = uint32_t(args.entries[at]);
    args.contributed[instance] = blocks != 0;
    if (blocks == 0) continue;
    prefetch_to_write(args.instance_moments + size_t(instance) * kInstanceFloats);
    append(batch, args.records + (args.entries[at] >> 32), instance, blocks);
  }
  return at;
}

SPLAT_INLINE void find_weights(const TilePixels& pixels, Batch& batch) {
  for (unsigned i = 0; i < batch.items; ++i) {
    const SplatLanes lanes(*batch.records[batch.splat[i]]);
    const unsigned b = batch.block[i];
    batch.alpha[i] = lanes.weight(lanes.offset(pixels.block_x(b), pixels.block_y(b))).alpha;
  }
}

SPLAT_INLINE void replay(ReplayState& state, Batch& batch) {
  for (unsigned i = 0; i < batch.items; ++i) {
    const SplatRecord& r = *batch.records[batch.splat[i]];
    const unsigned b = batch.block[i];
    const FloatV h = math::dot(math::Vec3<FloatV>{FloatV(r.red), FloatV(r.green), FloatV(r.blue)}, state.v_pixel[b]);
    const MaskV unclamped = batch.alpha[i] < FloatV(math::kAlphaMax);
    batch.gradient[i] = math::blend_step_vjp(state.transmittance[b], state.behind[b], batch.alpha[i], unclamped, h);
  }
}

SPLAT_INLINE math::SplatMoments<FloatV> sum_items(const ReplayState& state, const TilePixels& pixels,
                                                  const Batch& batch, const SplatRecord& r, unsigned begin,
                                                  unsigned end) {
  math::SplatMoments<FloatV> moments = math::zero_moments<FloatV>();
  const SplatLanes lanes(r);
  for (unsigned i = begin; i < end; ++i) {
    const unsigned b = batch.block[i];
    math::add_moments(moments, lanes.offset(pixels.block_x(b), pixels.block_y(b)), batch.gradient[i].w,
                      batch.gradient[i].weight, state.v_pixel[b]);
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
  const size_t begin = args.tile_first[tile], blended_end = args.tile_end[tile], end = args.tile_first[tile + 1];
  Batch batch;
  for (size_t at = begin; at < blended_end;) {
    at = fill_batch(args, at, blended_end, batch);
    find_weights(pixels, batch);
    replay(state, batch);
    for (unsigned i = 0; i < batch.splats; ++i)
      store_moments(sum_items(state, pixels, batch, *batch.records[i], i == 0 ? 0 : batch.end[i - 1], batch.end[i]),
                    args.instance_moments + size_t(batch.instance[i]) * kInstanceFloats);
  }
  for (size_t at = blended_end; at < end; ++at) args.contributed[uint32_t(args.entries[at])] = 0;
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
