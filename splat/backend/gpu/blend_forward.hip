// Front-to-back blending, a block of four waves a tile (regions.h).
#include "splat/backend/gpu/raster_kernels.h"
#include "splat/backend/gpu/regions.h"
#include "splat/math/distortion.h"

namespace splat::gpu {
namespace {

template <int kWave>
struct Pixels {
  using Args = BlendArgs;
  float transmittance[kPixelsPerLane<kWave>];
  math::Vec3<float> colour[kPixelsPerLane<kWave>];
};

// Blends splats as planes, with their depth distortion.
template <int kWave>
struct PlanePixels : Pixels<kWave> {
  math::Vec3<float> ray[kPixelsPerLane<kWave>];
  math::DepthSquares<float> squares[kPixelsPerLane<kWave>];
};

// Blends splats out of arrays of others, within the limits of a call; with a fourth channel.
template <int kWave>
struct RasterPixels : Pixels<kWave> {
  using Args = RasterBlendArgs;
  BlendLimits limits;
};
template <int kWave>
struct FourChannels : RasterPixels<kWave> {
  float fourth[kPixelsPerLane<kWave>];
};

template <int kWave>
SPLAT_DEVICE BlendLimits limits_of(const Pixels<kWave>&) {
  return {};
}
template <int kWave>
SPLAT_DEVICE BlendLimits limits_of(const RasterPixels<kWave>& pixels) {
  return pixels.limits;
}

template <int kWave>
SPLAT_DEVICE void start_more(const BlendArgs&, float, float, Pixels<kWave>&) {}
template <int kWave>
SPLAT_DEVICE void start_more(const RasterBlendArgs& args, float, float, RasterPixels<kWave>& pixels) {
  pixels.limits = args.limits;
}
template <int kWave>
SPLAT_DEVICE void start_more(const RasterBlendArgs& args, float, float, FourChannels<kWave>& pixels) {
  pixels.limits = args.limits;
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) pixels.fourth[p] = 0;
}
template <int kWave>
SPLAT_DEVICE void start_more(const BlendArgs& args, float x, float y, PlanePixels<kWave>& pixels) {
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    pixels.ray[p] = ray_of(args.distortion, x, y + float(p * (kWave / kRegionSize)));
    pixels.squares[p] = {0, 0};
  }
}
template <int kWave>
SPLAT_DEVICE void blend_more(const SplatRecord&, int, float, float, Pixels<kWave>&) {}
template <int kWave>
SPLAT_DEVICE void blend_more(const SplatRecord& r, int p, float transmittance, float weight,
                             FourChannels<kWave>& pixels) {
  (void)transmittance;
  pixels.fourth[p] = math::fma(weight, r.depth, pixels.fourth[p]);
}
template <int kWave>
SPLAT_DEVICE void blend_more(const SplatRecord& r, int p, float transmittance, float weight,
                             PlanePixels<kWave>& pixels) {
  math::add_depth_square(pixels.squares[p], transmittance, weight, math::dot(colour_of(r), pixels.ray[p]));
}
template <int kWave>
SPLAT_DEVICE void write_more(const BlendArgs&, size_t, int, const Pixels<kWave>&) {}
template <int kWave>
SPLAT_DEVICE void write_more(const BlendArgs& args, size_t at, int p, const FourChannels<kWave>& pixels) {
  args.image[3 * args.size.pixels() + at] = pixels.fourth[p];
}
template <int kWave>
SPLAT_DEVICE void write_more(const BlendArgs& args, size_t at, int p, const PlanePixels<kWave>& pixels) {
  args.distortion.sums[at] = pixels.squares[p].origin;
  args.distortion.sums[args.size.pixels() + at] = pixels.squares[p].sum;
}

template <int kWave>
SPLAT_DEVICE bool any_live(const Pixels<kWave>& pixels) {
  bool live = false;
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) live |= math::is_live(pixels.transmittance[p]);
  return live;
}

template <int kWave, class Kind>
SPLAT_DEVICE void blend_splat(const SplatRecord& r, float x, float y, Kind& pixels) {
  const BlendLimits limits = limits_of<kWave>(pixels);
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    const math::Vec2<float> offset{x - r.mean_x, y + float(p * (kWave / kRegionSize)) - r.mean_y};
    const float before = pixels.transmittance[p];
    const float weight = math::blend_step(pixels.transmittance[p], weight_at(r, offset, limits.alpha_max).alpha,
                                          limits.transmittance_stop);
    blend_more<kWave>(r, p, before, weight, pixels);
    math::Vec3<float>& colour = pixels.colour[p];
    colour.x = math::fma(weight, r.red, colour.x);
    colour.y = math::fma(weight, r.green, colour.y);
    colour.z = math::fma(weight, r.blue, colour.z);
  }
}

template <int kWave, class Kind>
SPLAT_DEVICE void write_pixels(const BlendArgs& args, const Region& region, const Kind& pixels) {
  const size_t plane = args.size.pixels();
  const int x = region.x<kWave>();
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    const int y = region.y<kWave>(p);
    if (x >= args.size.width || y >= args.size.height) continue;
    const size_t at = size_t(y) * size_t(args.size.width) + size_t(x);
    const float final_t = math::final_transmittance(pixels.transmittance[p]);
    args.transmittance[at] = final_t;
    args.image[at] = math::fma(final_t, args.background[0], pixels.colour[p].x);
    args.image[plane + at] = math::fma(final_t, args.background[1], pixels.colour[p].y);
    args.image[2 * plane + at] = math::fma(final_t, args.background[2], pixels.colour[p].z);
    write_more<kWave>(args, at, p, pixels);
  }
}

template <int kWave, template <int> class Kind>
__global__ void SPLAT_LAUNCH_BOUNDS(kWavesPerTile* kWave) blend_forward_kernel(typename Kind<kWave>::Args args) {
  if constexpr (wave_size_is<kWave>()) {
    SPLAT_LDS(SplatRecord, batch, kBatch);
    SPLAT_LDS(uint32_t, finished, kWavesPerTile);
    const int lane = int(threadIdx.x % kWave), wave = int(threadIdx.x / kWave);
    const Region region = Region::of_wave<kWave>(args.size);
    const float x = float(region.x<kWave>()) + 0.5f, y = float(region.y<kWave>(0)) + 0.5f;
    Kind<kWave> pixels;
    start_more<kWave>(args, x, y, pixels);
#pragma unroll
    for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
      const bool inside = x < float(args.size.width) && region.y<kWave>(p) < args.size.height;
      pixels.transmittance[p] = inside ? 1.0f : -1.0f;
      pixels.colour[p] = {0, 0, 0};
    }
    bool live = wave_any(any_live<kWave>(pixels));
    const uint32_t end = args.end[blockIdx.x];
    for (uint32_t at = args.first[blockIdx.x]; at < end; at += kBatch) {
      if (lane == 0) finished[wave] = !live;
      __syncthreads();
      if (finished[0] & finished[1] & finished[2] & finished[3]) break;
      const int n = int(end - at < kBatch ? end - at : kBatch);
      if (int(threadIdx.x) < n) batch[threadIdx.x] = args.records[args.splats[at + threadIdx.x]];
      __syncthreads();
      for (int group = 0; live && group < n; group += kWave) {
        const bool reached = group + lane < n && region.reached_by(batch[group + lane]);
        for (auto splats = LaneMask<kWave>(wave_ballot(reached)); splats; splats &= splats - 1)
          blend_splat<kWave>(batch[group + first_lane(splats)], x, y, pixels);
        live = wave_any(any_live<kWave>(pixels));
      }
    }
    write_pixels<kWave>(args, region, pixels);
  }
}

template <template <int> class Kind>
void launch_kind(const typename Kind<64>::Args& args, const Target& target) {
  launch("blend_forward", target.wave == 64 ? blend_forward_kernel<64, Kind> : blend_forward_kernel<32, Kind>,
         dim3(unsigned(args.size.tiles())), unsigned(kWavesPerTile * target.wave), target.stream, args);
}

}  // namespace

void blend_forward(const BlendArgs& args, const Target& target) {
  if (args.distortion.sums)
    launch_kind<PlanePixels>(args, target);
  else
    launch_kind<Pixels>(args, target);
}
void raster_blend_forward(const RasterBlendArgs& args, const Target& target) {
  if (args.four)
    launch_kind<FourChannels>(args, target);
  else
    launch_kind<RasterPixels>(args, target);
}

}  // namespace splat::gpu
