// Reading one splat of the blocks of parameters (records.h) as math/parameter_chain.h does, in kernels.
#pragma once

#include "splat/backend/gpu/records.h"
#include "splat/core/gpu_runtime.h"
#include "splat/math/parameter_chain.h"

namespace splat::gpu {

// rows: the splat's value in row 0 of its block.
struct SplatRows {
  const float* rows;

  static SPLAT_DEVICE SplatRows of(const float* parameters, size_t block_floats, uint32_t splat) {
    return {parameters + splat / kBlockSplats * block_floats + splat % kBlockSplats};
  }
  SPLAT_DEVICE float value(int row) const { return rows[row * kBlockSplats]; }
  SPLAT_DEVICE math::Vec3<float> vec3(int row) const { return {value(row), value(row + 1), value(row + 2)}; }
  SPLAT_DEVICE math::Vec3<float> mean() const { return vec3(kMeanRow); }
  SPLAT_DEVICE math::Vec3<float> scale() const {
    const math::Vec3<float> log_scale = vec3(kLogScaleRow);
    return {math::exp(log_scale.x), math::exp(log_scale.y), math::exp(log_scale.z)};
  }
  SPLAT_DEVICE math::Quat<float> quat() const {
    return {value(kQuatRow), value(kQuatRow + 1), value(kQuatRow + 2), value(kQuatRow + 3)};
  }
  SPLAT_DEVICE float opacity() const { return math::sigmoid(value(kOpacityRow)); }
  SPLAT_DEVICE math::Vec3<float> sh(int k) const { return vec3(kShRow + 3 * k); }
};

}  // namespace splat::gpu
