// The adjoint of blending walks a pixel's splats again, front to back: where it begins. For kernels.
#pragma once

#include "splat/backend/gpu/regions.h"

namespace splat::gpu {

template <int kWave>
struct Replay {
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

SPLAT_DEVICE math::Vec3<float> pixel_gradient(const BlendArgs& args, size_t at) {
  const size_t plane = args.size.pixels();
  return {args.v_image[at], args.v_image[plane + at], args.v_image[2 * plane + at]};
}

template <int kWave>
SPLAT_DEVICE void start_replay(const BlendArgs& args, const Region& region, Replay<kWave>& replay) {
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
}

// One splat at one pixel: the gradient, and the pixel's state after it.
SPLAT_DEVICE math::BlendGradient<float> replay_step(const SplatRecord& r, const math::Vec2<float>& offset,
                                                    const math::Vec3<float>& v_pixel, float& transmittance,
                                                    float& behind) {
  const math::GaussianWeight<float> weight = weight_at(r, offset);
  return math::blend_step_vjp(transmittance, behind, weight.alpha, math::alpha_odds(weight.alpha), weight.unclamped,
                              math::dot(math::Vec3<float>{r.red, r.green, r.blue}, v_pixel));
}

}  // namespace splat::gpu
