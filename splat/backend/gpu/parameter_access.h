// Reading one splat of the blocks of parameters (records.h), in kernels.
#pragma once

#include "splat/backend/gpu/records.h"
#include "splat/core/gpu_runtime.h"
#include "splat/math/project.h"

namespace splat::gpu {

// rows: the splat's value in row 0 of its block.
SPLAT_DEVICE const float* splat_rows(const float* parameters, size_t block_floats, uint32_t splat) {
  return parameters + splat / kBlockSplats * block_floats + splat % kBlockSplats;
}
SPLAT_DEVICE float row_value(const float* rows, int row) { return rows[row * kBlockSplats]; }
SPLAT_DEVICE math::Vec3<float> row_vec3(const float* rows, int row) {
  return {row_value(rows, row), row_value(rows, row + 1), row_value(rows, row + 2)};
}
SPLAT_DEVICE math::Vec3<float> mean_rows(const float* rows) { return row_vec3(rows, kMeanRow); }
SPLAT_DEVICE math::Vec3<float> scale_rows(const float* rows) {
  const math::Vec3<float> log_scale = row_vec3(rows, kLogScaleRow);
  return {math::exp(log_scale.x), math::exp(log_scale.y), math::exp(log_scale.z)};
}
SPLAT_DEVICE math::Quat<float> quat_rows(const float* rows) {
  const math::Vec3<float> xyz = row_vec3(rows, kQuatRow + 1);
  return {row_value(rows, kQuatRow), xyz.x, xyz.y, xyz.z};
}

}  // namespace splat::gpu
