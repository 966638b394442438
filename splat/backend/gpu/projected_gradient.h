// Reading the gradient by a projected splat that the backward pass left, in kernels.
#pragma once

#include "splat/backend/gpu/kernels.h"
#include "splat/backend/gpu/parameter_access.h"

namespace splat::gpu {

// The gradient by the projected splat; false when it is not finite.
SPLAT_DEVICE bool load_gradient(const UpdateArgs& args, uint32_t splat, math::SplatGradient<float>& g) {
  const float* m = args.gradients + size_t(splat) * kGradientFloats;
  const SplatRecord r = args.records[splat];
  g = math::projected_gradient(math::SplatMoments<float>{m[0], m[1], m[2], m[3], m[4], m[5], {m[6], m[7], m[8]}},
                               math::WeightForm<float>{r.form_xx, r.form_xy, r.form_yy, r.log2_opacity}, r.opacity,
                               math::Vec3<float>{r.red, r.green, r.blue});
  return math::all_finite(g);
}

// Adds what plane_gradients() left behind the sums.
SPLAT_DEVICE void add_plane_gradient(const UpdateArgs& args, uint32_t splat, math::GeometryGradient<float>& g) {
  const float* p = args.gradients + size_t(splat) * kGradientFloats + kPlaneSlot;
  g.v_mean = g.v_mean + math::Vec3<float>{p[0], p[1], p[2]};
  g.v_quat = {g.v_quat.w + p[3], g.v_quat.x + p[4], g.v_quat.y + p[5], g.v_quat.z + p[6]};
}

}  // namespace splat::gpu
