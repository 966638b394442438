// Tile lists: instances are emitted as keys (tile, depth) with their splat, sorted, and cut into ranges, one a tile.
// Does what bin and tile_lists do on the CPU, which counts by tile instead of sorting everything.
// Wide splats are emitted by the whole wave together, so that one of them does not hold up 31 or 63 small ones.
#include "splat/backend/gpu/kernels.h"
#include "splat/backend/gpu/tile_rows.h"

namespace splat::gpu {
namespace {

constexpr int kThreads = 128;
constexpr uint32_t kTilesAlone = 12;  // a splat with more is emitted by its wave

// The depth in the low bits of a key: float bits above the view's smallest, cut to what fits. Views of up to
// 2^(depth_bits - 23) octaves of depth lose nothing.
struct DepthScale {
  uint32_t near_bits;
  int shift;
};
SPLAT_DEVICE DepthScale depth_scale(const TileListArgs& args) {
  const uint32_t near_bits = ~args.counters->inverse_near, range = args.counters->far - near_bits;
  const int needed = range == 0 ? 0 : 32 - leading_zeros(range);
  return {near_bits, needed > args.depth_bits ? needed - args.depth_bits : 0};
}

struct Emission {
  uint32_t at, end;  // instances
  uint32_t low_key;  // quantised depth
  uint32_t splat;
};
SPLAT_DEVICE void emit(const TileListArgs& args, uint32_t at, uint32_t end, uint32_t tile, uint32_t low_key,
                       uint32_t splat) {
  if (at >= end || at >= args.capacity) return;
  args.keys[at] = tile << args.depth_bits | low_key;
  args.values[at] = splat;
}

// Small fills and a copy that would otherwise be commands of their own. What is not emitted sorts to the end. Of the
// other counters nobody reads any more, and the tiles' ranges are found by a later kernel.
SPLAT_DEVICE void clear_and_report(const TileListArgs& args, uint32_t place) {
  const uint32_t tiles = uint32_t(args.tiles_x) * uint32_t(args.tiles_y);
  for (uint32_t tile = place; tile < tiles; tile += gridDim.x * kThreads) args.first[tile] = args.end[tile] = 0;
  const unsigned long long emitted = args.counters->instances;
  if (emitted < args.capacity)
    for (uint32_t i = uint32_t(emitted) + place; i < args.capacity; i += gridDim.x * kThreads) args.keys[i] = ~0u;
  if (place != 0) return;
  *args.next_counters = {};
  *args.instances = args.counters->instances;
}

template <int kWave, class Record>
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) emit_kernel(TileListArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    const uint32_t place = blockIdx.x * kThreads + threadIdx.x;
    clear_and_report(args, place);
    const int lane = int(threadIdx.x % kWave);
    const bool exists = place < args.splats;
    const uint32_t splat = !exists ? 0 : args.order ? args.order[place] : place;
    const uint32_t count = exists ? args.tile_counts[place] : 0;
    if (!wave_any(count > 0)) return;
    Record tiles = {};
    TileRange rows = {0, 0};
    Emission e = {0, 0, 0, splat};
    if (count > 0) {
      tiles = static_cast<const Record*>(args.tile_records)[splat];
      rows = tile_rows(tiles, args.tiles_y);
      e.at = args.first_instances[place];
      e.end = e.at + count;
      if (!args.order) {
        const DepthScale scale = depth_scale(args);
        e.low_key = (float_bits(args.records[splat].depth) - scale.near_bits) >> scale.shift;
      }
    }
    if (count > 0 && count <= kTilesAlone)
      for (int row = rows.first; row < rows.first + rows.count; ++row) {
        const TileRange span = row_tiles(tiles, row, args.tiles_x);
        for (int i = 0; i < span.count; ++i, ++e.at)
          emit(args, e.at, e.end, uint32_t(row * args.tiles_x + span.first + i), e.low_key, splat);
      }
    for (uint64_t wide = wave_ballot(count > kTilesAlone); wide; wide &= wide - 1) {
      const int owner = first_lane(wide);
      const Record other = shuffle_record<kWave>(tiles, owner);
      const int first_row = wave_shuffle(rows.first, owner, kWave);
      const int end_row = first_row + wave_shuffle(rows.count, owner, kWave);
      uint32_t at = wave_shuffle(e.at, owner, kWave);
      const uint32_t end = wave_shuffle(e.end, owner, kWave), low_key = wave_shuffle(e.low_key, owner, kWave);
      const uint32_t other_splat = wave_shuffle(splat, owner, kWave);
      for (int row = first_row; row < end_row; ++row) {
        const TileRange span = row_tiles(other, row, args.tiles_x);
        for (int i = lane; i < span.count; i += kWave)
          emit(args, at + uint32_t(i), end, uint32_t(row * args.tiles_x + span.first + i), low_key, other_splat);
        at += uint32_t(span.count);
      }
    }
  }
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) ranges_kernel(TileListArgs args) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  const unsigned long long all = args.counters->instances;
  const uint32_t count = all < args.capacity ? uint32_t(all) : args.capacity;
  if (i >= count) return;
  const uint32_t tile = args.keys[i] >> args.depth_bits;
  if (i == 0 || args.keys[i - 1] >> args.depth_bits != tile) args.first[tile] = i;
  if (i + 1 == count || args.keys[i + 1] >> args.depth_bits != tile) args.end[tile] = i + 1;
}

struct GatherArgs {
  const uint32_t* values;
  const uint32_t* order;  // null: out[i] = i
  uint32_t* out;
  uint32_t count;
};
__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) gather_kernel(GatherArgs args) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i < args.count) args.out[i] = args.order ? args.values[args.order[i]] : i;
}

dim3 grid_of(uint32_t count) { return dim3((count + kThreads - 1) / kThreads); }

template <class Record>
void launch_emission(const TileListArgs& args, const Target& target) {
  launch("emit_instances", target.wave == 64 ? emit_kernel<64, Record> : emit_kernel<32, Record>, grid_of(args.splats),
         kThreads, target.stream, args);
}

}  // namespace

void gather_counts(const uint32_t* counts, const uint32_t* order, uint32_t* out, uint32_t splats,
                   const Target& target) {
  launch("gather_counts", gather_kernel, grid_of(splats), kThreads, target.stream, {counts, order, out, splats});
}
void fill_identity(uint32_t* out, uint32_t count, const Target& target) {
  launch("fill_identity", gather_kernel, grid_of(count), kThreads, target.stream, {nullptr, nullptr, out, count});
}
void emit_instances(const TileListArgs& args, bool squares, const Target& target) {
  if (squares)
    launch_emission<SquareTileRecord>(args, target);
  else
    launch_emission<TileRecord>(args, target);
}
void find_ranges(const TileListArgs& args, const Target& target) {
  launch("find_ranges", ranges_kernel, grid_of(args.capacity), kThreads, target.stream, args);
}

}  // namespace splat::gpu
