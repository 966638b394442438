// Reading a block of splats (parameters.h) into vectors, and small helpers of projection and update. Per SIMD level.
// `rows` points at the first of kLanes splats in row 0 of their block.
#pragma once

#include "splat/backend/cpu/parameter_rows.h"
#include "splat/core/simd.h"
#include "splat/math/project.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {

using namespace splat::simd::SPLAT_SIMD_LEVEL;

SPLAT_INLINE math::Vec3<FloatV> load_vec3(const float* rows, int row) {
  const float* p = rows + row * kBlockSplats;
  return {load(p), load(p + kBlockSplats), load(p + 2 * kBlockSplats)};
}
SPLAT_INLINE math::Vec3<FloatV> mean_rows(const float* rows) { return load_vec3(rows, kMeanRow); }
SPLAT_INLINE math::Vec3<FloatV> scale_rows(const float* rows) {
  const math::Vec3<FloatV> log_scale = load_vec3(rows, kLogScaleRow);
  return {exp(log_scale.x), exp(log_scale.y), exp(log_scale.z)};
}
SPLAT_INLINE math::Quat<FloatV> quat_rows(const float* rows) {
  const math::Vec3<FloatV> xyz = load_vec3(rows, kQuatRow + 1);
  return {load(rows + kQuatRow * kBlockSplats), xyz.x, xyz.y, xyz.z};
}
SPLAT_INLINE FloatV sh_row(const float* rows, int k, int channel) {
  return load(rows + (kShRow + 3 * k + channel) * kBlockSplats);
}

// Hardware prefetchers lose track between blocks; asked for two blocks ahead, projection runs three times as fast.
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
  return v;
}

SPLAT_INLINE FloatV ceil(FloatV x) { return -floor(-x); }

SPLAT_INLINE FloatV three_sigma_radius(const math::Sym2<FloatV>& covariance) {
  return ceil(FloatV(3) * sqrt(math::largest_eigenvalue(covariance)));
}

// The first tile whose last pixel centre lies at or beyond x, and the last whose first pixel centre does not; px.
SPLAT_INLINE FloatV first_tile(FloatV x) {
  return ceil((x - FloatV(math::kTileSize - 0.5)) * FloatV(1.0 / math::kTileSize));
}
SPLAT_INLINE FloatV last_tile(FloatV x) { return floor((x - FloatV(0.5)) * FloatV(1.0 / math::kTileSize)); }

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
