// Two more walks over a tile's list, for those who ask: the pixels that a splat is seen at before half of the light is
// gone (MonoGS' n_touched), and sums of absolute gradients over pixels (gsplat's absgrad).
#include "splat/backend/gpu/raster_kernels.h"
#include "splat/backend/gpu/walk.h"
#include "splat/core/gpu_lanes.h"

namespace splat::gpu {
namespace {

template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kWavesPerTile* kWave) raster_touched_kernel(RasterTouchedArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    const Region region = Region::of_wave<kWave>(args.size);
    Transmittances<kWave> transmittances(args.size, region);
    walk_tile<kWave>(
        args, region, [&] { return transmittances.any_live(); },
        [&](const SplatRecord& r, uint32_t splat) {
          int32_t count = 0;
#pragma unroll
          for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
            const float alpha = weight_at(r, offset_of<kWave>(r, region, p), args.limits.alpha_max).alpha;
            const float weight = math::blend_step(transmittances.of[p], alpha, args.limits.transmittance_stop);
            count += weight > 0 && transmittances.of[p] > 0.5f;
          }
          if (!wave_any(count > 0)) return;
          count = wave_sum<kWave>(count);
          if (threadIdx.x % kWave == 0) atomicAdd(args.touched + splat, count);
        });
  }
}

constexpr int kKept = 4;  // channels whose gradients stay in registers

template <int kWave>
struct AbsoluteReplay {
  float behind[kPixelsPerLane<kWave>], v_pixel[kPixelsPerLane<kWave>][kKept];
};
template <int kWave>
SPLAT_DEVICE void start(const RasterAbsoluteArgs& args, const Region& region, AbsoluteReplay<kWave>& replay) {
  const size_t plane = args.size.pixels();
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    const int x = region.x<kWave>(), y = region.y<kWave>(p);
    const bool inside = x < args.size.width && y < args.size.height;
    const size_t at = inside ? size_t(y) * size_t(args.size.width) + size_t(x) : 0;
    float behind = args.v_transmittance ? args.v_transmittance[at] * args.transmittance[at] : 0.0f;
    for (int c = 0; c < args.count; ++c)
      behind = math::fma(args.v_image[size_t(c) * plane + at], args.image[size_t(c) * plane + at], behind);
    replay.behind[p] = behind;
#pragma unroll
    for (int c = 0; c < kKept; ++c) replay.v_pixel[p][c] = c < args.count ? args.v_image[size_t(c) * plane + at] : 0.0f;
  }
}

// The splat's channels by the gradient of the pixel.
template <int kWave>
SPLAT_DEVICE float product(const RasterAbsoluteArgs& args, const Region& region, const SplatRecord& r, uint32_t splat,
                           int p, const float* v_pixel) {
  float h = math::fma(r.blue, v_pixel[2], math::fma(r.green, v_pixel[1], r.red * v_pixel[0]));
  if (args.count < kKept) return h;
  h = math::fma(r.depth, v_pixel[3], h);
  const int x = region.x<kWave>(), y = region.y<kWave>(p);
  if (x >= args.size.width || y >= args.size.height) return h;
  const size_t plane = args.size.pixels(), at = size_t(y) * size_t(args.size.width) + size_t(x);
  const float* const channels = args.channels + size_t(splat) * size_t(args.stride);
  for (int c = kKept; c < args.count; ++c) h = math::fma(channels[c], args.v_image[size_t(c) * plane + at], h);
  return h;
}

template <int kWave>
__global__ void SPLAT_LAUNCH_BOUNDS(kWavesPerTile* kWave) raster_absolute_kernel(RasterAbsoluteArgs args) {
  if constexpr (wave_size_is<kWave>()) {
    const Region region = Region::of_wave<kWave>(args.size);
    Transmittances<kWave> transmittances(args.size, region);
    AbsoluteReplay<kWave> replay;
    start(args, region, replay);
    walk_tile<kWave>(
        args, region, [&] { return transmittances.any_live(); },
        [&](const SplatRecord& r, uint32_t splat) {
          const math::Sym2<float> conic = math::conic_of(weight_form(r));
          float along_x = 0, along_y = 0;
#pragma unroll
          for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
            const math::Vec2<float> d = offset_of<kWave>(r, region, p);
            const math::GaussianWeight<float> weight = weight_at(r, d, args.limits.alpha_max);
            const float h = product<kWave>(args, region, r, splat, p, replay.v_pixel[p]);
            const float w = math::blend_step_vjp(transmittances.of[p], replay.behind[p], weight.alpha,
                                                 math::alpha_odds(weight.alpha), weight.unclamped, h,
                                                 args.limits.transmittance_stop)
                                .w;
            along_x += math::abs(w * math::fma(conic.xx, d.x, conic.xy * d.y));
            along_y += math::abs(w * math::fma(conic.xy, d.x, conic.yy * d.y));
          }
          if (!wave_any(along_x > 0 || along_y > 0)) return;
          along_x = wave_sum<kWave>(along_x), along_y = wave_sum<kWave>(along_y);
          if (threadIdx.x % kWave > 1) return;
          add_float(args.absolute + 2 * size_t(splat) + threadIdx.x % kWave,
                    threadIdx.x % kWave == 0 ? along_x : along_y);
        });
  }
}

template <class Args>
void launch_walk(const char* name, void (*wide)(Args), void (*narrow)(Args), const Args& args, const Target& target) {
  launch(name, target.wave == 64 ? wide : narrow, dim3(unsigned(args.size.tiles())),
         unsigned(kWavesPerTile * target.wave), target.stream, args);
}

}  // namespace

void raster_touched(const RasterTouchedArgs& args, const Target& target) {
  launch_walk("raster_touched", raster_touched_kernel<64>, raster_touched_kernel<32>, args, target);
}
void raster_absolute(const RasterAbsoluteArgs& args, const Target& target) {
  launch_walk("raster_absolute", raster_absolute_kernel<64>, raster_absolute_kernel<32>, args, target);
}

}  // namespace splat::gpu
