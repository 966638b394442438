// Gradients by vertices are sums over many pixels. So that they do not depend on threads, the pixels of each triangle
// and the triangles at each vertex are listed first, in their order; then each sum is one thread's.
#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "splat/math/screen_triangle.h"
#include "splat/raster/triangles/checks.h"
#include "splat/raster/triangles/triangles.h"

namespace splat::triangles {
namespace {

using Vec = math::Vec3<double>;

constexpr size_t kSumsAtATime = 256;

// Which of `count` items belong to each group, in their order.
class Groups {
 public:
  // group(item): SIZE_MAX: none.
  template <class GroupOf>
  Groups(size_t count, size_t groups, GroupOf&& group) : first_(groups + 2, 0), items_(new uint32_t[count]) {
    for (size_t i = 0; i < count; ++i)
      if (const size_t g = group(i); g != SIZE_MAX) ++first_[g + 2];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    for (size_t i = 0; i < count; ++i)
      if (const size_t g = group(i); g != SIZE_MAX) items_[first_[g + 1]++] = uint32_t(i);
  }
  std::span<const uint32_t> operator[](size_t g) const { return {&items_[first_[g]], &items_[first_[g + 1]]}; }

 private:
  std::vector<uint32_t> first_;
  std::unique_ptr<uint32_t[]> items_;
};

Groups pixels_by_triangle(const float* rast, size_t pixels, const Triangles& triangles) {
  return {pixels, triangles.count, [&](size_t p) { return triangle_of(rast[4 * p + 3], triangles); }};
}
// Corners as 3 triangle + corner.
Groups corners_by_vertex(const Triangles& triangles, size_t vertices) {
  return {3 * triangles.count, vertices, [&](size_t i) { return size_t(triangles.corners[i]); }};
}

// The gradient by the homogeneous pixels of a triangle's corners.
void triangle_gradient(const Scene& scene, const float* positions, const int32_t* corners,
                       std::span<const uint32_t> pixels, const float* v_rast, const float* v_rast_db, Vec (&v)[3]) {
  Vec corner[3];
  for (int i = 0; i < 3; ++i) {
    const math::ScreenCorner c = math::clip_corner(positions + 4 * size_t(corners[i]), {scene.width, scene.height});
    corner[i] = {c.x, c.y, c.w}, v[i] = {0, 0, 0};
  }
  const auto width = uint32_t(scene.width);
  for (const uint32_t p : pixels) {
    math::TriangleShares<double> g{v_rast[4 * size_t(p)], v_rast[4 * size_t(p) + 1], 0, 0, 0, 0};
    if (v_rast_db) {
      const float* db = v_rast_db + 4 * size_t(p);
      g.u_x = db[0], g.u_y = db[1], g.v_x = db[2], g.v_y = db[3];
    }
    const uint32_t column = p % width, row = p / width;
    math::triangle_shares_vjp(corner, column + 0.5, row + 0.5, g, v);
  }
}

}  // namespace

Status rasterize_backward(const Scene& scene, const float* rast, const float* v_rast, const float* v_rast_db,
                          float* v_positions, ThreadPool* pool) {
  SPLAT_TRY(check_corners(scene.triangles, scene.vertices));
  const Groups at_vertex = corners_by_vertex(scene.triangles, scene.vertices);
  const size_t count = scene.triangles.count, pixels = size_t(scene.width) * size_t(scene.height);
  std::unique_ptr<Vec[][3]> v_corners(new Vec[count][3]);
  std::fill_n(v_positions, (scene.ranges ? 1 : scene.pictures) * scene.vertices * 4, 0.0f);
  for (size_t b = 0; b < scene.pictures; ++b) {
    const float *positions = scene.positions, *db = v_rast_db ? v_rast_db + 4 * b * pixels : nullptr;
    float* v_out = v_positions;
    if (!scene.ranges) positions += 4 * b * scene.vertices, v_out += 4 * b * scene.vertices;
    const Groups in_triangle = pixels_by_triangle(rast + 4 * b * pixels, pixels, scene.triangles);
    for_range(pool, count, kSumsAtATime, [&](size_t begin, size_t end) {
      for (size_t t = begin; t < end; ++t)
        triangle_gradient(scene, positions, scene.triangles.corners + 3 * t, in_triangle[t], v_rast + 4 * b * pixels,
                          db, v_corners[t]);
    });
    for_range(pool, scene.vertices, kSumsAtATime, [&](size_t begin, size_t end) {
      for (size_t vertex = begin; vertex < end; ++vertex) {
        Vec sum{0, 0, 0};
        for (const uint32_t c : at_vertex[vertex]) sum = sum + v_corners[c / 3][c % 3];
        math::clip_corner_vjp(sum, {scene.width, scene.height}, v_out + 4 * vertex);
      }
    });
  }
  return {};
}

namespace {

// The gradients of one picture by what rasterising gave.
void rast_gradients(const Attributes& a, size_t p, size_t picture, const float* v_out, const float* v_out_da,
                    const AttributeGradients& out) {
  const size_t triangle = triangle_of(a.rast[4 * p + 3], a.triangles), channels = size_t(a.channels);
  double v_u = 0, v_v = 0, v_slopes[4] = {};
  if (triangle != SIZE_MAX) {
    const CornerValues c = corner_values(a, picture, triangle);
    for (size_t i = 0; i < channels; ++i) {
      v_u += double(v_out[channels * p + i]) * (c.of[0][i] - c.of[2][i]);
      v_v += double(v_out[channels * p + i]) * (c.of[1][i] - c.of[2][i]);
    }
    for (size_t d = 0; d < a.differentiated.size() && v_out_da; ++d)
      for (size_t axis = 0; axis < 2; ++axis) {
        const int32_t i = a.differentiated[d];
        const double g = v_out_da[2 * (a.differentiated.size() * p + d) + axis];
        v_slopes[axis] += g * (c.of[0][i] - c.of[2][i]);
        v_slopes[2 + axis] += g * (c.of[1][i] - c.of[2][i]);
      }
  }
  if (out.rast) {
    float* v = out.rast + 4 * p;
    v[0] = float(v_u), v[1] = float(v_v), v[2] = v[3] = 0;
  }
  for (size_t i = 0; i < 4 && out.rast_db; ++i) out.rast_db[4 * p + i] = float(v_slopes[i]);
}

// Adds a pixel's part of the gradient by the attributes of one corner.
void add_to_corner(const Attributes& a, size_t p, size_t corner, const float* v_out, const float* v_out_da,
                   std::vector<double>& sum) {
  const float* rast = a.rast + 4 * p;
  const double share = corner == 2 ? 1.0 - rast[0] - rast[1] : rast[corner];
  const size_t channels = sum.size(), wanted = a.differentiated.size();
  for (size_t i = 0; i < channels; ++i) sum[i] += share * v_out[channels * p + i];
  for (size_t axis = 0; axis < 2 && v_out_da && a.rast_db; ++axis) {
    const float *db = a.rast_db + 4 * p + axis, *v = v_out_da + 2 * wanted * p + axis;
    const double slope = corner == 2 ? -double(db[0]) - db[2] : db[2 * corner];
    for (size_t d = 0; d < wanted; ++d) sum[size_t(a.differentiated[d])] += slope * v[2 * d];
  }
}

}  // namespace

Status interpolate_backward(const Attributes& a, const float* v_out, const float* v_out_da,
                            const AttributeGradients& gradients, ThreadPool* pool) {
  SPLAT_TRY(check_attributes(a));
  const size_t pixels = size_t(a.width) * size_t(a.height), channels = size_t(a.channels);
  if (gradients.rast || gradients.rast_db)
    for_range(pool, a.pictures * pixels, kPixelsAtATime, [&](size_t begin, size_t end) {
      for (size_t p = begin; p < end; ++p) rast_gradients(a, p, p / pixels, v_out, v_out_da, gradients);
    });
  if (!gradients.values) return {};
  const Groups at_vertex = corners_by_vertex(a.triangles, a.vertices);
  std::fill_n(gradients.values, (a.by_picture ? a.pictures : 1) * a.vertices * channels, 0.0f);
  for (size_t b = 0; b < a.pictures; ++b) {
    const Groups in_triangle = pixels_by_triangle(a.rast + 4 * b * pixels, pixels, a.triangles);
    float* v_values = gradients.values + (a.by_picture ? b * a.vertices * channels : 0);
    for_range(pool, a.vertices, kSumsAtATime, [&](size_t begin, size_t end) {
      std::vector<double> sum(channels);
      for (size_t vertex = begin; vertex < end; ++vertex) {
        std::fill(sum.begin(), sum.end(), 0.0);
        for (const uint32_t c : at_vertex[vertex])
          for (const uint32_t p : in_triangle[c / 3]) add_to_corner(a, b * pixels + p, c % 3, v_out, v_out_da, sum);
        for (size_t i = 0; i < channels; ++i) v_values[vertex * channels + i] += float(sum[i]);
      }
    });
  }
  return {};
}

}  // namespace splat::triangles
