// What each splat adds to the picture. Waves sum over their region and add to the splat's sums in whole numbers
// (contribution_sum.h), so that every run gives the same.
#include "splat/backend/gpu/walk.h"

namespace splat::gpu {
namespace {

template <int kWave>
SPLAT_DEVICE float wave_max(float value, Site site = Site::current()) {
#pragma unroll
  for (int step = kWave / 2; step > 0; step /= 2) value = math::max(value, wave_shuffle_xor(value, step, kWave, site));
  return value;
}

template <int kWave>
SPLAT_DEVICE void add_sums(ContributionSum* to, float total, float most, uint32_t seen) {
  if (!wave_any(most > 0)) return;
  total = wave_sum<kWave>(total);
  most = wave_max<kWave>(most);
  seen = wave_sum<kWave>(seen);
  if (threadIdx.x % kWave != 0) return;
  atomicAdd(&to->weight, static_cast<unsigned long long>(total * float(kWeightUnits)));
  atomicMax(&to->max_weight_bits, float_bits(most));
  if (seen) atomicAdd(&to->pixels, seen);
}

template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kWavesPerTile* kWave) contributions_kernel(ContributionArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    const Region region = Region::of_wave<kWave>(args.size);
    Transmittances<kWave> transmittances(args.size, region);
    bool counted[kPixelsPerLane<kWave>];
#pragma unroll
    for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
      const size_t at = size_t(region.y<kWave>(p)) * size_t(args.size.width) + size_t(region.x<kWave>());
      counted[p] = math::is_live(transmittances.of[p]) && (!args.mask || args.mask[at]);
      if (!counted[p]) transmittances.of[p] = -1;  // pixels are independent: what does not count need not be blended
    }
    walk_tile<kWave>(
        args, region, [&] { return transmittances.any_live(); },
        [&](const SplatRecord& r, uint32_t splat) {
          float total = 0, most = 0;
          uint32_t seen = 0;
#pragma unroll
          for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
            const float weight =
                math::blend_step(transmittances.of[p], weight_at(r, offset_of<kWave>(r, region, p)).alpha);
            total += weight;
            most = math::max(most, weight);
            seen += weight >= args.min_weight;
          }
          add_sums<kWave>(args.sums + splat, total, most, seen);
        });
  }
}

}  // namespace

void contributions(const ContributionArgs& args, const Target& target) {
  launch("contributions", target.wave == 64 ? contributions_kernel<64> : contributions_kernel<32>,
         dim3(unsigned(args.size.tiles())), unsigned(kWavesPerTile * target.wave), target.stream, args);
}

}  // namespace splat::gpu
