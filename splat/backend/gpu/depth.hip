// The depth of what every pixel shows.
#include "splat/backend/gpu/walk.h"

namespace splat::gpu {
namespace {

struct PixelDepth {
  float median, weight, weight_depth, weight_depth2;
};

template <int kWave>
SPLAT_DEVICE void write_pixels(const DepthArgs& args, const Region& region, const PixelDepth* pixels) {
  const size_t plane = args.size.pixels();
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    const int x = region.x<kWave>(), y = region.y<kWave>(p);
    if (x >= args.size.width || y >= args.size.height) continue;
    const size_t at = size_t(y) * size_t(args.size.width) + size_t(x);
    const PixelDepth& d = pixels[p];
    if (args.median) args.median[at] = d.median;
    if (args.mean) args.mean[at] = d.weight > 0 ? d.weight_depth / d.weight : 0.0f;
    if (!args.moments) continue;
    args.moments[at] = d.weight;
    args.moments[plane + at] = d.weight_depth;
    args.moments[2 * plane + at] = d.weight_depth2;
  }
}

template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kWavesPerTile* kWave) depth_kernel(DepthArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    const Region region = Region::of_wave<kWave>(args.size);
    Transmittances<kWave> transmittances(args.size, region);
    PixelDepth pixels[kPixelsPerLane<kWave>];
#pragma unroll
    for (int p = 0; p < kPixelsPerLane<kWave>; ++p) pixels[p] = {0, 0, 0, 0};
    walk_tile<kWave>(
        args, region, [&] { return transmittances.any_live(); },
        [&](const SplatRecord& r, uint32_t) {
#pragma unroll
          for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
            float& transmittance = transmittances.of[p];
            PixelDepth& d = pixels[p];
            const float weight = math::blend_step(transmittance, weight_at(r, offset_of<kWave>(r, region, p)).alpha);
            d.weight += weight;
            d.weight_depth = math::fma(weight, r.depth, d.weight_depth);
            d.weight_depth2 = math::fma(weight * r.depth, r.depth, d.weight_depth2);
            if (!(d.median > 0) && math::passes_median(transmittance)) d.median = r.depth;
          }
        });
    write_pixels<kWave>(args, region, pixels);
  }
}

}  // namespace

void depth(const DepthArgs& args, const Target& target) {
  launch("depth", target.wave == 64 ? depth_kernel<64> : depth_kernel<32>, dim3(unsigned(args.size.tiles())),
         unsigned(kWavesPerTile * target.wave), target.stream, args);
}

}  // namespace splat::gpu
