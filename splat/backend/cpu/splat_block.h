// Reading a block of splats (parameters.h) into vectors. Per SIMD level.
#pragma once

#include "splat/backend/cpu/parameter_rows.h"
#include "splat/core/simd.h"
#include "splat/math/parameter_chain.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {

using namespace splat::simd::SPLAT_SIMD_LEVEL;

// kLanes splats as math/parameter_chain.h reads them; rows: the first one's value in row 0 of its block.
struct SplatRows {
  const float* rows;

  SPLAT_INLINE FloatV value(int row) const { return load(rows + row * kBlockSplats); }
  SPLAT_INLINE math::Vec3<FloatV> vec3(int row) const { return {value(row), value(row + 1), value(row + 2)}; }
  SPLAT_INLINE math::Vec3<FloatV> mean() const { return vec3(kMeanRow); }
  SPLAT_INLINE math::Vec3<FloatV> scale() const {
    const math::Vec3<FloatV> log_scale = vec3(kLogScaleRow);
    return {exp(log_scale.x), exp(log_scale.y), exp(log_scale.z)};
  }
  SPLAT_INLINE math::Quat<FloatV> quat() const {
    return {value(kQuatRow), value(kQuatRow + 1), value(kQuatRow + 2), value(kQuatRow + 3)};
  }
  SPLAT_INLINE FloatV opacity() const { return math::sigmoid(value(kOpacityRow)); }
  SPLAT_INLINE math::Vec3<FloatV> sh(int k) const { return vec3(kShRow + 3 * k); }
};

// Hardware prefetchers lose track between blocks; with the rows of two blocks ahead prefetched, projection runs three
// times as fast.
SPLAT_INLINE void prefetch_rows(const float* block, int rows) {
  for (int row = 0; row < rows; ++row) prefetch(block + row * kBlockSplats);
}

SPLAT_INLINE math::ViewParams<FloatV> broadcast(const math::ViewParams<float>& view) {
  math::ViewParams<FloatV> v;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) v.rotation.m[r][c] = FloatV(view.rotation.m[r][c]);
  v.translation = {FloatV(view.translation.x), FloatV(view.translation.y), FloatV(view.translation.z)};
  v.centre = {FloatV(view.centre.x), FloatV(view.centre.y), FloatV(view.centre.z)};
  v.fx = FloatV(view.fx), v.fy = FloatV(view.fy), v.cx = FloatV(view.cx), v.cy = FloatV(view.cy);
  v.width = FloatV(view.width), v.height = FloatV(view.height);
  v.u_min = FloatV(view.u_min), v.u_max = FloatV(view.u_max);
  v.v_min = FloatV(view.v_min), v.v_max = FloatV(view.v_max);
  v.near_plane = FloatV(view.near_plane), v.far_plane = FloatV(view.far_plane);
  v.low_pass = FloatV(view.low_pass);
  return v;
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
