// What every call of triangles.h asks of its arrays, and how it reads them.
#pragma once

#include <algorithm>

#include "splat/raster/triangles/triangles.h"

namespace splat::triangles {

Status check_corners(const Triangles& triangles, size_t vertices);
Status check_attributes(const Attributes& attributes);

inline constexpr size_t kPixelsAtATime = 4096;

// body(begin, end) over chunks of [0, count).
inline void for_range(ThreadPool* pool, size_t count, size_t chunk, FunctionRef<void(size_t, size_t)> body) {
  for_each(pool, (count + chunk - 1) / chunk,
           [&](size_t c, int) { body(c * chunk, std::min((c + 1) * chunk, count)); });
}

// Which triangle a number from 1 says; SIZE_MAX: none that is there.
template <class Number>
size_t triangle_of(Number number, const Triangles& triangles) {
  return number >= 1 && double(number) <= double(triangles.count) ? size_t(number) - 1 : SIZE_MAX;
}

// The attributes of a triangle's corners, [A] each.
struct CornerValues {
  const float* of[3];
};
inline CornerValues corner_values(const Attributes& a, size_t picture, size_t triangle) {
  CornerValues c;
  for (size_t k = 0; k < 3; ++k)
    c.of[k] = a.values + ((a.by_picture ? picture * a.vertices : 0) + size_t(a.triangles.corners[3 * triangle + k])) *
                             size_t(a.channels);
  return c;
}

}  // namespace splat::triangles
