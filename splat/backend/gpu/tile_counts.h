// What projecting a splat leaves for the tile lists: how many tiles it reaches, and the view's totals. For kernels.
#pragma once

#include "splat/backend/gpu/tile_rows.h"

namespace splat::gpu {

inline constexpr int kRowsAlone = 4;  // of tiles; what is beyond is counted by the whole wave together

// Tiles reached by each lane's splat.
template <int kWave, class Record>
SPLAT_DEVICE uint32_t count_tiles(const Record& tiles, int tiles_x, int tiles_y, bool visible) {
  const int lane = int(threadIdx.x % kWave);
  const TileRange rows = visible ? tile_rows(tiles, tiles_y) : TileRange{0, 0};
  int count = 0;
  for (int row = 0; row < rows.count && row < kRowsAlone; ++row)
    count += row_tiles(tiles, rows.first + row, tiles_x).count;
  for (uint64_t tall = wave_ballot(rows.count > kRowsAlone); tall; tall &= tall - 1) {
    const int owner = first_lane(tall);
    const Record other = shuffle_record<kWave>(tiles, owner);
    const int first = wave_shuffle(rows.first, owner, kWave), end = first + wave_shuffle(rows.count, owner, kWave);
    int part = 0;
#pragma unroll 1  // rarely a second round; clang 17 unrolls it to 198 registers on gfx90a and gfx942
    for (int row = first + kRowsAlone + lane; row < end; row += kWave) part += row_tiles(other, row, tiles_x).count;
    part = wave_sum<kWave>(part);
    if (lane == owner) count += part;
  }
  return uint32_t(count);
}

// The view's instances and range of depths: one atomic each for a wave.
template <int kWave>
SPLAT_DEVICE void add_to_counters(FrameCounters* counters, uint32_t tiles, uint32_t depth_bits, bool visible) {
  if (!wave_any(visible)) return;
  uint32_t inverse_near = visible ? ~depth_bits : 0, far = visible ? depth_bits : 0;
  const unsigned long long instances = wave_sum<kWave>((unsigned long long)(tiles));
#pragma unroll
  for (int step = kWave / 2; step > 0; step /= 2) {
    const uint32_t other_near = wave_shuffle_xor(inverse_near, step, kWave);
    const uint32_t other_far = wave_shuffle_xor(far, step, kWave);
    inverse_near = other_near > inverse_near ? other_near : inverse_near;
    far = other_far > far ? other_far : far;
  }
  if (threadIdx.x % kWave != 0) return;
  atomicAdd(&counters->instances, instances);
  atomicMax(&counters->inverse_near, inverse_near);
  atomicMax(&counters->far, far);
}

}  // namespace splat::gpu
