// What every call of triangles.h asks of its arrays, and how it reads them. What has no pointer but to Error and Status
// is for GPUs too.
#pragma once

#include <algorithm>
#include <string>

#include "splat/raster/triangles/triangles.h"

namespace splat::triangles {

inline constexpr int kLargestSide = 65535;                       // px
inline constexpr size_t kMostTriangles = (size_t(1) << 24) - 1;  // numbers that a float holds

inline Status check_picture(int width, int height) {
  if (std::min(width, height) >= 0 && std::max(width, height) <= kLargestSide) return {};
  return Error{"a picture of " + std::to_string(width) + "x" + std::to_string(height) +
               " px is none that triangles can be drawn in: sides are 0 to " + std::to_string(kLargestSide)};
}
inline Status check_names(const Triangles& triangles) {
  if (triangles.count <= kMostTriangles) return {};
  return Error{std::to_string(triangles.count) + " triangles are more than a picture of numbers can name, " +
               std::to_string(kMostTriangles)};
}
inline Status check_channels(const Attributes& a) {
  for (const int32_t channel : a.differentiated)
    if (channel < 0 || channel >= a.channels)
      return Error{"derivatives are wanted of attribute " + std::to_string(channel) + " of " +
                   std::to_string(a.channels)};
  return {};
}
// corner: its place in Triangles::corners.
inline Error corner_error(size_t corner, int32_t vertex, size_t vertices) {
  return {"triangle " + std::to_string(corner / 3) + " has vertex " + std::to_string(vertex) + " of " +
          std::to_string(vertices)};
}
inline bool is_range(int64_t first, int64_t count, const Triangles& triangles) {
  return first >= 0 && count >= 0 && first + count <= int64_t(triangles.count);
}
inline Error range_error(size_t picture, int64_t first, int64_t count, const Triangles& triangles) {
  return {"range " + std::to_string(picture) + " is of triangles " + std::to_string(first) + " to " +
          std::to_string(first + count) + " of " + std::to_string(triangles.count)};
}

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
