// The adjoint of blending walks a pixel's splats again, front to back: where it begins. For kernels.
#pragma once

#include "splat/backend/gpu/raster_kernels.h"
#include "splat/backend/gpu/regions.h"
#include "splat/math/distortion.h"

namespace splat::gpu {

template <int kWave>
struct Replay {
  using Args = BlendArgs;
  float transmittance[kPixelsPerLane<kWave>];
  float behind[kPixelsPerLane<kWave>];  // math::blend_step_vjp
  math::Vec3<float> v_pixel[kPixelsPerLane<kWave>];
};

template <int kWave>
SPLAT_DEVICE bool any_live(const Replay<kWave>& replay) {
  bool live = false;
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) live |= math::is_live(replay.transmittance[p]);
  return live;
}

// What the replay needs of a pixel of splats as planes: the adjoint of how far apart they lie.
struct PixelDistortion {
  float x, y;  // its ray, (x, y, 1)
  float mean, by_weight, by_offset;
};
SPLAT_DEVICE PixelDistortion no_distortion() { return {0, 0, 0, 0, 0}; }
SPLAT_DEVICE PixelDistortion load_distortion(const BlendArgs& args, int x, int y, size_t at) {
  const math::Vec3<float> ray = ray_of(args.distortion, float(x) + 0.5f, float(y) + 0.5f);
  return {ray.x, ray.y, args.distortion.means[at], args.distortion.sums[at],
          args.distortion.sums[args.size.pixels() + at]};
}
SPLAT_DEVICE math::DistortionStep<float> distortion_step(const PixelDistortion& d, const SplatRecord& r) {
  return math::distortion_vjp(math::Distortion<float>{0, d.by_weight, d.by_offset}, d.mean,
                              math::dot(colour_of(r), math::Vec3<float>{d.x, d.y, 1}));
}

template <int kWave>
struct PlaneReplay : Replay<kWave> {
  PixelDistortion distortion[kPixelsPerLane<kWave>];
};

// Arrays of others: within the limits of a call, and with a fourth channel.
template <int kWave>
struct RasterReplay : Replay<kWave> {
  using Args = RasterBlendArgs;
  BlendLimits limits;
};
template <int kWave>
struct FourChannelReplay : RasterReplay<kWave> {
  float v_fourth[kPixelsPerLane<kWave>];
};

SPLAT_DEVICE math::Vec3<float> pixel_gradient(const BlendArgs& args, size_t at) {
  const size_t plane = args.size.pixels();
  return {args.v_image[at], args.v_image[plane + at], args.v_image[2 * plane + at]};
}

template <int kWave>
SPLAT_DEVICE void start_more(const BlendArgs&, const Region&, Replay<kWave>&) {}
template <int kWave>
SPLAT_DEVICE void start_more(const BlendArgs& args, const Region& region, PlaneReplay<kWave>& replay) {
  const int x = region.x<kWave>();
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    const int y = region.y<kWave>(p);
    replay.distortion[p] = no_distortion();
    if (x >= args.size.width || y >= args.size.height) continue;
    const size_t at = size_t(y) * size_t(args.size.width) + size_t(x);
    replay.distortion[p] = load_distortion(args, x, y, at);
    replay.behind[p] += 2 * (1 - args.transmittance[at]) * replay.distortion[p].by_weight;
  }
}

template <int kWave>
SPLAT_DEVICE void start_more(const RasterBlendArgs& args, const Region& region, RasterReplay<kWave>& replay) {
  replay.limits = args.limits;
  const int x = region.x<kWave>();
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    const int y = region.y<kWave>(p);
    if (!args.v_transmittance || x >= args.size.width || y >= args.size.height) continue;
    const size_t at = size_t(y) * size_t(args.size.width) + size_t(x);
    replay.behind[p] = math::fma(args.v_transmittance[at], args.transmittance[at], replay.behind[p]);
  }
}
template <int kWave>
SPLAT_DEVICE void start_more(const RasterBlendArgs& args, const Region& region, FourChannelReplay<kWave>& replay) {
  start_more<kWave>(args, region, static_cast<RasterReplay<kWave>&>(replay));
  const int x = region.x<kWave>();
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    const int y = region.y<kWave>(p);
    replay.v_fourth[p] = 0;
    if (x >= args.size.width || y >= args.size.height) continue;
    const size_t at = 3 * args.size.pixels() + size_t(y) * size_t(args.size.width) + size_t(x);
    replay.v_fourth[p] = args.v_image[at];
    replay.behind[p] = math::fma(args.v_image[at], args.image[at], replay.behind[p]);
  }
}

template <int kWave, class Kind>
SPLAT_DEVICE void start_replay(const typename Kind::Args& args, const Region& region, Kind& replay) {
  const size_t plane = args.size.pixels();
  const int x = region.x<kWave>();
#pragma unroll
  for (int p = 0; p < kPixelsPerLane<kWave>; ++p) {
    const int y = region.y<kWave>(p);
    replay.transmittance[p] = -1;
    replay.behind[p] = 0;
    replay.v_pixel[p] = {0, 0, 0};
    if (x >= args.size.width || y >= args.size.height) continue;
    const size_t at = size_t(y) * size_t(args.size.width) + size_t(x);
    replay.transmittance[p] = 1;
    replay.v_pixel[p] = pixel_gradient(args, at);
    replay.behind[p] = math::dot(replay.v_pixel[p],
                                 math::Vec3<float>{args.image[at], args.image[plane + at], args.image[2 * plane + at]});
  }
  start_more<kWave>(args, region, replay);
}

// One splat at one pixel: the gradient, and the pixel's state after it. h: as in math::blend_step_vjp().
SPLAT_DEVICE math::BlendGradient<float> replay_step(const SplatRecord& r, const math::Vec2<float>& offset, float h,
                                                    float& transmittance, float& behind,
                                                    const BlendLimits& limits = {}) {
  const math::GaussianWeight<float> weight = weight_at(r, offset, limits.alpha_max);
  return math::blend_step_vjp(transmittance, behind, weight.alpha, math::alpha_odds(weight.alpha), weight.unclamped, h,
                              limits.transmittance_stop);
}

// The same of pixel p of this lane; v_colour: what the splat's colour gets, by its weight.
template <int kWave>
SPLAT_DEVICE math::BlendGradient<float> replay_pixel(const SplatRecord& r, const math::Vec2<float>& offset, int p,
                                                     Replay<kWave>& replay, math::Vec3<float>& v_colour) {
  v_colour = replay.v_pixel[p];
  return replay_step(r, offset, math::dot(colour_of(r), v_colour), replay.transmittance[p], replay.behind[p]);
}
template <int kWave>
SPLAT_DEVICE math::BlendGradient<float> replay_pixel(const SplatRecord& r, const math::Vec2<float>& offset, int p,
                                                     PlaneReplay<kWave>& replay, math::Vec3<float>& v_colour) {
  const PixelDistortion& d = replay.distortion[p];
  const math::DistortionStep<float> step = distortion_step(d, r);
  v_colour = replay.v_pixel[p] + step.by_m * math::Vec3<float>{d.x, d.y, 1};
  const float h = math::dot(colour_of(r), replay.v_pixel[p]) + step.by_w;
  return replay_step(r, offset, h, replay.transmittance[p], replay.behind[p]);
}

template <int kWave>
SPLAT_DEVICE math::BlendGradient<float> replay_pixel(const SplatRecord& r, const math::Vec2<float>& offset, int p,
                                                     RasterReplay<kWave>& replay, math::Vec3<float>& v_colour) {
  v_colour = replay.v_pixel[p];
  return replay_step(r, offset, math::dot(colour_of(r), v_colour), replay.transmittance[p], replay.behind[p],
                     replay.limits);
}
template <int kWave>
SPLAT_DEVICE math::BlendGradient<float> replay_pixel(const SplatRecord& r, const math::Vec2<float>& offset, int p,
                                                     FourChannelReplay<kWave>& replay, math::Vec3<float>& v_colour) {
  v_colour = replay.v_pixel[p];
  const float h = math::fma(r.depth, replay.v_fourth[p], math::dot(colour_of(r), v_colour));
  return replay_step(r, offset, h, replay.transmittance[p], replay.behind[p], replay.limits);
}

}  // namespace splat::gpu
