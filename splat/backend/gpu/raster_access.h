// Reading one splat of arrays of others as math/raster_chain.h and math/parameter_chain.h do, in kernels.
#pragma once

#include "splat/backend/gpu/raster_kernels.h"

namespace splat::gpu {

SPLAT_DEVICE math::Vec3<float> load_vec3(const float* values, size_t row) {
  return {values[3 * row], values[3 * row + 1], values[3 * row + 2]};
}

SPLAT_DEVICE math::RasterSplat<float> load_splat(const RasterScene& scene, size_t i) {
  math::RasterSplat<float> out = {};
  out.mean = load_vec3(scene.means, i);
  out.opacity = scene.opacities[i];
  if (scene.rules.shape == math::ShapeKind::kCovariances) {
    const float* s = scene.covariances + 6 * i;
    out.shape.covariance = {s[0], s[1], s[2], s[3], s[4], s[5]};
  } else {
    const float* q = scene.quats + 4 * i;
    out.shape.quat = {q[0], q[1], q[2], q[3]};
    out.shape.scale = scene.scale_modifier * load_vec3(scene.scales, i);
  }
  return out;
}

// For the colours of parameter_chain.h.
struct RasterColours {
  math::Vec3<float> place;
  const float* coefficients;

  SPLAT_DEVICE RasterColours(const RasterScene& scene, size_t i, const math::Vec3<float>& mean)
      : place(mean), coefficients(scene.sh + 3 * size_t(scene.sh_coefficients) * i) {}
  SPLAT_DEVICE math::Vec3<float> mean() const { return place; }
  SPLAT_DEVICE math::Vec3<float> sh(int k) const { return load_vec3(coefficients, size_t(k)); }
};

}  // namespace splat::gpu
