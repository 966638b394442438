// A second walk over the splats of a tile, front to back, after the lists of a view were made: a block of four waves,
// as in blend_forward.hip, which has a walk of its own that is tuned to its registers. For kernels.
#pragma once

#include "splat/backend/gpu/regions.h"

namespace splat::gpu {

// Calls blend(record, splat) for every splat that may reach the wave's region, all lanes together, until live() is
// false in all of them.
template <int kWave, class Live, class Blend>
SPLAT_DEVICE void walk_tile(const BlendArgs& args, const Region& region, const Live& live, const Blend& blend) {
  SPLAT_LDS(SplatRecord, batch, kBatch);
  SPLAT_LDS(uint32_t, rows, kBatch);
  SPLAT_LDS(uint32_t, finished, kWavesPerTile);
  const int lane = int(threadIdx.x % kWave), wave = int(threadIdx.x / kWave);
  bool goes_on = wave_any(live());
  const uint32_t end = args.end[blockIdx.x];
  for (uint32_t at = args.first[blockIdx.x]; at < end; at += kBatch) {
    if (lane == 0) finished[wave] = !goes_on;
    __syncthreads();
    if (finished[0] & finished[1] & finished[2] & finished[3]) break;
    const int n = int(end - at < kBatch ? end - at : kBatch);
    if (int(threadIdx.x) < n) {
      rows[threadIdx.x] = args.splats[at + threadIdx.x];
      batch[threadIdx.x] = args.records[args.splats[at + threadIdx.x]];
    }
    __syncthreads();
    for (int group = 0; goes_on && group < n; group += kWave) {
      const bool reached = group + lane < n && region.reached_by(batch[group + lane]);
      for (auto splats = LaneMask<kWave>(wave_ballot(reached)); splats; splats &= splats - 1) {
        const int i = group + first_lane(splats);
        const SplatRecord r = batch[i];
        const uint32_t row = rows[i];
        blend(r, row);
      }
      goes_on = wave_any(live());
    }
  }
}

template <int kWave>
struct Transmittances {
  float of[kPixelsPerLane<kWave>];

  SPLAT_DEVICE Transmittances(const ImageSize& size, const Region& region) {
#pragma unroll
    for (int p = 0; p < kPixelsPerLane<kWave>; ++p)
      of[p] = region.x<kWave>() < size.width && region.y<kWave>(p) < size.height ? 1.0f : -1.0f;
  }
  SPLAT_DEVICE bool any_live() const {
    bool live = false;
#pragma unroll
    for (int p = 0; p < kPixelsPerLane<kWave>; ++p) live |= math::is_live(of[p]);
    return live;
  }
};

// From the splat's mean to the centre of pixel p of this lane.
template <int kWave>
SPLAT_DEVICE math::Vec2<float> offset_of(const SplatRecord& r, const Region& region, int p) {
  return {float(region.x<kWave>()) + 0.5f - r.mean_x, float(region.y<kWave>(p)) + 0.5f - r.mean_y};
}

}  // namespace splat::gpu
