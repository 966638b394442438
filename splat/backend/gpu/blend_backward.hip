// The adjoint of blending: the same walk again, front to back. Each wave sums a splat's nine moments over its region by
// a transposing butterfly (14 or 16 shuffles instead of 45 or 54) and adds them to the splat's 64-byte record with one
// atomic instruction of nine lanes.
#include "splat/backend/gpu/replay.h"

namespace splat::gpu {
namespace {

// The lane's moments of one splat; false when it contributes to none of its pixels.
template <int kWave, class Kind>
SPLAT_DEVICE bool replay_splat(const SplatRecord& r, float x, float y, Kind& replay,
                               math::SplatMoments<float>& moments) {
  bool contributes = false;
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    const math::Vec2<float> offset{x - r.mean_x, y + float(p * (kWave / kRegionSize)) - r.mean_y};
    math::Vec3<float> v_colour;
    const math::BlendGradient<float> g = replay_pixel<kWave>(r, offset, p, replay, v_colour);
    math::add_moments(moments, math::offset_products(offset), g.w, g.weight, v_colour);
    contributes |= g.weight > 0;
  }
  return contributes;
}

// Half of the lanes keep the lower half of the values, the others the upper: kCount sums cost kCount / 2 shuffles.
template <int kWave, int kLanes, int kCount>
SPLAT_DEVICE void fold(float (&v)[8], Site site) {
  const bool upper = threadIdx.x & kLanes;
#pragma unroll
  for (int k = 0; k < kCount / 2; ++k) {
    const float kept = upper ? v[k + kCount / 2] : v[k], given = upper ? v[k] : v[k + kCount / 2];
    v[k] = kept + wave_shuffle_xor(given, kLanes, kWave, site);
  }
}
// The wave's sum of v[lane / (kWave / 8)].
template <int kWave>
SPLAT_DEVICE float sum_transposed(float (&v)[8], Site site = Site::current()) {
  fold<kWave, kWave / 2, 8>(v, site);
  fold<kWave, kWave / 4, 4>(v, site);
  fold<kWave, kWave / 8, 2>(v, site);
  float sum = v[0];
#pragma unroll
  for (int step = kWave / 16; step > 0; step /= 2) sum += wave_shuffle_xor(sum, step, kWave, site);
  return sum;
}

template <int kWave>
SPLAT_DEVICE void add_to_record(const math::SplatMoments<float>& m, float* record, int colour_slot) {
  constexpr int kLanesPerValue = kWave / 8;
  float first_eight[8] = {m.w, m.wx, m.wy, m.wxx, m.wxy, m.wyy, m.v_colour.x, m.v_colour.y};
  const float eighth = sum_transposed<kWave>(first_eight), ninth = wave_sum<kWave>(m.v_colour.z);
  const int lane = int(threadIdx.x % kWave);
  const bool first = lane % kLanesPerValue == 0;
  const int moment = first ? lane / kLanesPerValue : 8;
  if (first || lane == 1)
    atomicAdd(record + (moment < kColourSlot ? moment : moment - kColourSlot + colour_slot), first ? eighth : ninth);
}

template <int kWave, template <int> class Kind>
__global__ void SPLAT_LAUNCH_BOUNDS(kWavesPerTile* kWave) blend_backward_kernel(BlendArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    SPLAT_LDS(SplatRecord, batch, kBatch);
    SPLAT_LDS(uint32_t, batch_splats, kBatch);
    SPLAT_LDS(uint32_t, finished, kWavesPerTile);
    const int lane = int(threadIdx.x % kWave), wave = int(threadIdx.x / kWave);
    const Region region = Region::of_wave<kWave>(args.size);
    const float x = float(region.x<kWave>()) + 0.5f, y = float(region.y<kWave>(0)) + 0.5f;
    Kind<kWave> replay;
    start_replay<kWave>(args, region, replay);
    bool live = wave_any(any_live<kWave>(replay));
    const uint32_t end = args.end[blockIdx.x];
    for (uint32_t at = args.first[blockIdx.x]; at < end; at += kBatch) {
      if (lane == 0) finished[wave] = !live;
      __syncthreads();
      if (finished[0] & finished[1] & finished[2] & finished[3]) break;
      const int n = int(end - at < kBatch ? end - at : kBatch);
      if (int(threadIdx.x) < n) {
        const uint32_t splat = args.splats[at + threadIdx.x];
        batch_splats[threadIdx.x] = splat;
        batch[threadIdx.x] = args.records[splat];
      }
      __syncthreads();
      for (int group = 0; live && group < n; group += kWave) {
        const bool reached = group + lane < n && region.reached_by(batch[group + lane]);
        for (uint64_t splats = wave_ballot(reached); splats; splats &= splats - 1) {
          const int i = group + first_lane(splats);
          math::SplatMoments<float> moments = math::zero_moments<float>();
          const bool contributes = replay_splat<kWave>(SplatRecord(batch[i]), x, y, replay, moments);
          if (!wave_any(contributes)) continue;
          add_to_record<kWave>(moments, args.gradients + size_t(batch_splats[i]) * kGradientFloats, args.colour_slot);
        }
        live = wave_any(any_live<kWave>(replay));
      }
    }
  }
}

template <template <int> class Kind>
void launch_kind(const BlendArgs& args, const Target& target) {
  launch("blend_backward", target.wave == 64 ? blend_backward_kernel<64, Kind> : blend_backward_kernel<32, Kind>,
         dim3(unsigned(args.size.tiles())), unsigned(kWavesPerTile * target.wave), target.stream, args);
}

}  // namespace

void blend_backward(const BlendArgs& args, const Target& target) {
  if (args.distortion.sums)
    launch_kind<PlaneReplay>(args, target);
  else
    launch_kind<Replay>(args, target);
}

}  // namespace splat::gpu
