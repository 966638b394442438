#include <algorithm>

#include "splat/math/triangle.h"
#include "splat/raster/triangles/checks.h"
#include "splat/raster/triangles/triangles.h"

namespace splat::triangles {
namespace {

void for_pixels(ThreadPool* pool, size_t pixels, FunctionRef<void(size_t)> body) {
  for_range(pool, pixels, kPixelsAtATime, [&](size_t begin, size_t end) {
    for (size_t p = begin; p < end; ++p) body(p);
  });
}

}  // namespace

Status check_corners(const Triangles& triangles, size_t vertices) {
  for (size_t i = 0; i < 3 * triangles.count; ++i)
    if (triangles.corners[i] < 0 || size_t(triangles.corners[i]) >= vertices)
      return corner_error(i, triangles.corners[i], vertices);
  return {};
}

Status check_attributes(const Attributes& a) {
  SPLAT_TRY(check_corners(a.triangles, a.vertices));
  return check_channels(a);
}

Status interpolate(const Attributes& a, float* out, float* out_da, ThreadPool* pool) {
  SPLAT_TRY(check_attributes(a));
  const size_t pixels = size_t(a.width) * size_t(a.height), channels = size_t(a.channels);
  for_pixels(pool, a.pictures * pixels, [&](size_t p) {
    const float *rast = a.rast + 4 * p, *db = a.rast_db ? a.rast_db + 4 * p : nullptr;
    float *values = out + channels * p, *slopes = out_da + 2 * a.differentiated.size() * p;
    const size_t triangle = triangle_of(rast[3], a.triangles);
    if (triangle == SIZE_MAX) {
      std::fill_n(values, channels, 0.0f);
      if (db) std::fill_n(slopes, 2 * a.differentiated.size(), 0.0f);
      return;
    }
    const CornerValues c = corner_values(a, p / pixels, triangle);
    for (size_t i = 0; i < channels; ++i)
      values[i] = math::at_shares(rast[0], rast[1], c.of[0][i], c.of[1][i], c.of[2][i]);
    if (!db) return;
    for (const int32_t i : a.differentiated)
      for (int axis = 0; axis < 2; ++axis)
        *slopes++ = math::slope_at_shares(db[axis], db[2 + axis], c.of[0][i], c.of[1][i], c.of[2][i]);
  });
  return {};
}

Status interpolate_faces(const FaceValues& f, float* out, ThreadPool* pool) {
  SPLAT_TRY(check_corners(f.faces, f.vertices));
  const size_t channels = size_t(f.channels);
  for_pixels(pool, f.pixels, [&](size_t p) {
    const size_t face = triangle_of(f.face_numbers[p], f.faces);
    float* values = out + channels * p;
    std::fill_n(values, channels, 0.0f);
    for (size_t k = 0; k < 3 && face != SIZE_MAX; ++k) {
      const float *corner = f.values + channels * size_t(f.faces.corners[3 * face + k]), share = f.shares[3 * p + k];
      for (size_t i = 0; i < channels; ++i) values[i] += share * corner[i];
    }
  });
  return {};
}

}  // namespace splat::triangles
