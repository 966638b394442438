// Reading arrays of others, kLanes splats at a time, and writing gradients like them. Per SIMD level.
#pragma once

#include "splat/backend/cpu/raster_kernels.h"
#include "splat/core/simd.h"

namespace splat::cpu::SPLAT_SIMD_LEVEL {

using namespace splat::simd::SPLAT_SIMD_LEVEL;

inline constexpr int kMostRowFloats = 3 * math::kMaxCoefficients;

// Fetches what the step after the next one reads or writes of an array of rows: transposed, its rows are more streams
// than hardware prefetchers follow.
SPLAT_INLINE void prefetch_ahead(const float* values, size_t first, size_t rows, size_t stride) {
  constexpr size_t kAhead = 2 * size_t(kLanes), kLine = 16;
  if (!values || first + kAhead + size_t(kLanes) > rows) return;
  values += (first + kAhead) * stride;
  for (size_t i = 0; i < size_t(kLanes) * stride; i += kLine) prefetch(values + i);
}
SPLAT_INLINE void prefetch_ahead(const RasterScene& scene, size_t first) {
  prefetch_ahead(scene.means, first, scene.splats, 3);
  prefetch_ahead(scene.quats, first, scene.splats, 4);
  prefetch_ahead(scene.scales, first, scene.splats, 3);
  prefetch_ahead(scene.covariances, first, scene.splats, 6);
  prefetch_ahead(scene.opacities, first, scene.splats, 1);
  prefetch_ahead(scene.sh, first, scene.splats, 3 * size_t(scene.sh_coefficients));
}

// Row `first` and those behind it, of `stride` floats each, where `wanted` floats of every lane's and three behind them
// can be read: in the array, or at its end in `room`, zeros behind it.
struct RowRoom {
  alignas(64) float values[kLanes * kMostRowFloats + 4];
};
SPLAT_INLINE const float* readable_rows(const float* values, size_t first, size_t rows, size_t stride, RowRoom& room) {
  if (first + size_t(kLanes) + 4 <= rows) return values + first * stride;
  const size_t n = (rows - first < size_t(kLanes) ? rows - first : size_t(kLanes)) * stride;
  for (size_t i = 0; i < size_t(kLanes) * stride + 4; ++i) room.values[i] = i < n ? values[first * stride + i] : 0.0f;
  return room.values;
}
// out[f] lane l = float f of row first + l, f < kFloats rounded up to four.
template <int kFloats>
SPLAT_INLINE void load_rows(const float* values, size_t first, size_t rows, FloatV* out) {
  RowRoom room;
  const float* p = readable_rows(values, first, rows, kFloats, room);
  for (int f = 0; f < kFloats; f += 4) {
    FloatV group[4];
    load_transposed(p + f, kFloats, group);
    for (int i = 0; i < 4; ++i) out[f + i] = group[i];
  }
}

SPLAT_INLINE math::RasterSplat<FloatV> load_splats(const RasterScene& scene, size_t first) {
  FloatV v[8];
  math::RasterSplat<FloatV> out;
  load_rows<3>(scene.means, first, scene.splats, v);
  out.mean = {v[0], v[1], v[2]};
  RowRoom room;
  out.opacity = load_unaligned(readable_rows(scene.opacities, first, scene.splats, 1, room));
  const FloatV none(0);
  out.shape = {{none, none, none, none}, {none, none, none}, {none, none, none, none, none, none}};
  if (scene.rules.shape == math::ShapeKind::kCovariances) {
    load_rows<6>(scene.covariances, first, scene.splats, v);
    out.shape.covariance = {v[0], v[1], v[2], v[3], v[4], v[5]};
    return out;
  }
  load_rows<4>(scene.quats, first, scene.splats, v);
  out.shape.quat = {v[0], v[1], v[2], v[3]};
  load_rows<3>(scene.scales, first, scene.splats, v);
  out.shape.scale = FloatV(scene.scale_modifier) * math::Vec3<FloatV>{v[0], v[1], v[2]};
  return out;
}

// For the colours of parameter_chain.h.
struct RasterColours {
  math::Vec3<FloatV> place;
  FloatV values[kMostRowFloats];

  SPLAT_INLINE RasterColours(const RasterScene& scene, size_t first, const math::Vec3<FloatV>& mean) : place(mean) {
    RowRoom room;
    const size_t stride = 3 * size_t(scene.sh_coefficients);
    const int used = 3 * (scene.sh_degree + 1) * (scene.sh_degree + 1);
    const float* p = readable_rows(scene.sh, first, scene.splats, stride, room);
    for (int f = 0; f < used; f += 4) {
      FloatV group[4];
      load_transposed(p + f, stride, group);
      for (int i = 0; i < 4; ++i) values[f + i] = group[i];
    }
  }
  SPLAT_INLINE math::Vec3<FloatV> mean() const { return place; }
  SPLAT_INLINE math::Vec3<FloatV> sh(int k) const { return {values[3 * k], values[3 * k + 1], values[3 * k + 2]}; }
};

// Row first + l = float f of lane l, for l < n; or added to it. `values` has room up to a multiple of four.
SPLAT_INLINE void store_rows(FloatV* values, int floats, float* to, size_t first, int n, bool add) {
  if (!to) return;
  to += first * size_t(floats);
  if (floats % 4 == 0 && n == kLanes && !add) {
    for (int f = 0; f < floats; f += 4) {
      FloatV group[4] = {values[f], values[f + 1], values[f + 2], values[f + 3]};
      store_transposed(group, to + f, size_t(floats));
    }
    return;
  }
  alignas(64) float staged[kLanes * kMostRowFloats];
  const int stride = (floats + 3) / 4 * 4;
  for (int f = 0; f < floats; f += 4) {
    FloatV group[4] = {values[f], values[f + 1], values[f + 2], values[f + 3]};
    store_transposed(group, staged + f, size_t(stride));
  }
  for (int lane = 0; lane < n; ++lane, to += floats)
    for (int f = 0; f < floats; ++f) to[f] = staged[lane * stride + f] + (add ? to[f] : 0.0f);
}

}  // namespace splat::cpu::SPLAT_SIMD_LEVEL
