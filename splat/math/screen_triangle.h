// A triangle made ready to be drawn in tiles of pixels, and what of it a pixel sees; for the CPU and for GPUs, with the
// same bits on both: edges and bounds in double over the picture, in float inside of a tile, nothing fused. What lies
// on a border between triangles is in both, so that there are no gaps.
#pragma once

#include <cstddef>
#include <cstdint>

#include "splat/math/triangle.h"

namespace splat::math {

inline constexpr float kLeastEdgeSum = 1e-37f;  // of smaller ones the reciprocal is no float
inline constexpr double kBoundsSlack = 1e-5;    // px
inline constexpr float kFaceDepthScale = 0.49999f, kFaceDepthSteps = 262144, kMostFaceSteps = 2147483648.0f;

// In homogeneous pixels: (x, y) / w is the place on the screen, pixel (0,0)'s centre lies at (0.5, 0.5), and depth / w
// is linear there.
struct ScreenCorner {
  double x, y, depth, w;
};
struct PictureSize {
  int width, height;  // px
};

// Clip space [4], with x/w and y/w from -1 to 1 over the picture.
SPLAT_INLINE ScreenCorner clip_corner(const float* p, PictureSize size) {
  return {0.5 * (double(p[0]) + double(p[3])) * size.width, 0.5 * (double(p[1]) + double(p[3])) * size.height,
          double(p[2]), double(p[3])};
}
// v: by x, y and w of the corner. Adds to v_p, which is by the four of clip space.
SPLAT_INLINE void clip_corner_vjp(const Vec3<double>& v, PictureSize size, float* v_p) {
  const double x = 0.5 * size.width * v.x, y = 0.5 * size.height * v.y;
  v_p[0] += float(x), v_p[1] += float(y), v_p[3] += float(x + y + v.z);
}
// As Hunyuan3D places it, from pixel centre to pixel centre, on the screen: w is 1, and one over its own the weight.
SPLAT_INLINE ScreenCorner face_corner(const float* p, PictureSize size, float* weight) {
  const float w = p[3];
  *weight = 1 / w;
  return {double((p[0] / w * 0.5f + 0.5f) * float(size.width - 1) + 0.5f),
          double((0.5f + 0.5f * p[1] / w) * float(size.height - 1) + 0.5f), double(p[2] / w * kFaceDepthScale + 0.5f),
          1.0};
}

struct ScreenTriangle {
  Vec3<double> edge[3], depth;  // planes: x X + y Y + z
  int32_t x0, y0, x1, y1;       // px that it may cover, x1 and y1 included; x1 < x0: not drawn
};

// Where on the screen it lies, px.
struct ScreenBounds {
  double x0, y0, x1, y1;
};
SPLAT_INLINE void add_to_bounds(ScreenBounds& b, double x, double y) {
  b = {min(b.x0, x), min(b.y0, y), max(b.x1, x), max(b.y1, y)};
}
// With corners behind the eye: of the part beyond the near plane, a depth / w.
SPLAT_INLINE ScreenBounds bounds_of(const ScreenCorner (&corner)[3], double near) {
  const ScreenBounds everywhere{-1e30, -1e30, 1e30, 1e30};
  ScreenBounds bounds{1e30, 1e30, -1e30, -1e30};
  const bool before = min(min(corner[0].w, corner[1].w), corner[2].w) > 0;
  SPLAT_UNROLL
  for (int i = 0; i < 3; ++i) {
    const ScreenCorner &a = corner[i], &b = corner[(i + 1) % 3];
    const double beyond_a = a.depth - near * a.w, beyond_b = b.depth - near * b.w;
    if (before || beyond_a >= 0) {
      if (!(a.w > 0)) return everywhere;
      add_to_bounds(bounds, a.x / a.w, a.y / a.w);
    }
    if (before || (beyond_a >= 0) == (beyond_b >= 0)) continue;
    const double part = beyond_a / (beyond_a - beyond_b), w = a.w + part * (b.w - a.w);
    if (!(w > 0)) return everywhere;
    add_to_bounds(bounds, (a.x + part * (b.x - a.x)) / w, (a.y + part * (b.y - a.y)) / w);
  }
  return bounds;
}
// The first and the last pixel whose centre lies there, of those of a side.
SPLAT_INLINE int32_t first_pixel(double low, int side) {
  const double at = min(max(low, 0.0), double(side)) - 0.5 - kBoundsSlack;
  const int32_t whole = int32_t(at);
  return whole + (whole < at ? 1 : 0);
}
SPLAT_INLINE int32_t last_pixel(double high, int side) {
  const double at = min(max(high, 0.0), double(side)) - 0.5 + kBoundsSlack;
  const int32_t whole = int32_t(at), pixel = whole - (whole > at ? 1 : 0);
  return pixel < side ? pixel : side - 1;
}

// One over the power of two at a number above 0.
SPLAT_INLINE double inverse_power(double number) {
  uint64_t bits;
  __builtin_memcpy(&bits, &number, sizeof bits);
  bits = (2046 - (bits >> 52 & 2047)) << 52;
  double power;
  __builtin_memcpy(&power, &bits, sizeof power);
  return power;
}

// Triangles without area, or with a number that is not finite, are not drawn.
SPLAT_INLINE ScreenTriangle screen_triangle(const ScreenCorner (&c)[3], double near, PictureSize size) {
  ScreenTriangle t{{}, {}, 0, 0, -1, -1};
  double sum = 0;
  SPLAT_UNROLL
  for (int i = 0; i < 3; ++i) sum += c[i].x + c[i].y + c[i].depth + c[i].w;
  if (!(sum - sum == 0)) return t;
  const ScreenBounds bounds = bounds_of(c, near);
  const int32_t x0 = first_pixel(bounds.x0, size.width), x1 = last_pixel(bounds.x1, size.width);
  t.y0 = first_pixel(bounds.y0, size.height), t.y1 = last_pixel(bounds.y1, size.height);
  if (x0 > x1 || t.y0 > t.y1) return t;
  const Vec3<double> places[3] = {{c[0].x, c[0].y, c[0].w}, {c[1].x, c[1].y, c[1].w}, {c[2].x, c[2].y, c[2].w}};
  const TriangleEdges<double> edges = triangle_edges(places);
  if (!(edges.volume > 0)) return t;
  t.depth = screen_plane(edges, c[0].depth, c[1].depth, c[2].depth);
  double most = 0;
  SPLAT_UNROLL
  for (int i = 0; i < 3; ++i) {
    const Vec3<double>& e = edges.edge[i];
    most = max(most, max(abs(e.x), max(abs(e.y), abs(e.z))));
  }
  // By a power of two, so that edges stay the same but for their signs in both triangles that share them.
  const double scale = most < 1e15 && most > 1e-15 ? 1 : inverse_power(most);
  SPLAT_UNROLL
  for (int i = 0; i < 3; ++i) t.edge[i] = scale * edges.edge[i];
  t.x0 = x0, t.x1 = x1;
  return t;
}

// Planes of a triangle are a x + b y + c at pixel (x, y) of a tile.
struct TilePlanes {
  float edge[3][3];  // all at least 0: inside
  float depth[3];
  int32_t x0, y0, x1, y1;  // of the tile's pixels that it may cover; x1, y1 included
};
SPLAT_INLINE double plane_at(const Vec3<double>& plane, double x, double y) {
  return plane.x * x + plane.y * y + plane.z;
}
template <class F>
SPLAT_INLINE F plane_at(const float (&plane)[3], F x, float y) {
  return F(plane[0]) * x + F(plane[1] * y + plane[2]);
}

// In the tile of `side` pixels whose first is (x, y). False: nothing of the triangle is in it, as far as bounds say.
SPLAT_INLINE bool tile_planes(const ScreenTriangle& p, int32_t x, int32_t y, int32_t side, TilePlanes& t) {
  t.x0 = p.x0 > x ? p.x0 - x : 0, t.x1 = p.x1 - x < side ? p.x1 - x : side - 1;
  t.y0 = p.y0 > y ? p.y0 - y : 0, t.y1 = p.y1 - y < side ? p.y1 - y : side - 1;
  if (t.x0 > t.x1 || t.y0 > t.y1) return false;
  SPLAT_UNROLL
  for (int i = 0; i < 3; ++i) {
    const Vec3<double>& e = p.edge[i];
    const double here = plane_at(e, x + 0.5, y + 0.5);
    if (here + max(e.x * t.x0, e.x * t.x1) + max(e.y * t.y0, e.y * t.y1) < 0) return false;
    t.edge[i][0] = float(e.x), t.edge[i][1] = float(e.y), t.edge[i][2] = float(here);
  }
  t.depth[0] = float(p.depth.x), t.depth[1] = float(p.depth.y);
  t.depth[2] = float(plane_at(p.depth, x + 0.5, y + 0.5));
  return true;
}
// At most the depth of a pixel of the tile, as its planes give it in float.
SPLAT_INLINE double least_depth(const ScreenTriangle& p, int32_t x, int32_t y, const TilePlanes& t) {
  constexpr double kRounding = 5e-7;
  const double here = plane_at(p.depth, x + 0.5, y + 0.5), least_x = min(p.depth.x * t.x0, p.depth.x * t.x1),
               least_y = min(p.depth.y * t.y0, p.depth.y * t.y1);
  return here + least_x + least_y - kRounding * (abs(here) + abs(p.depth.x) * t.x1 + abs(p.depth.y) * t.y1);
}

// The nearest depth that a pixel sees, where a picture `prior` may say so. What is no number counts as no limit.
SPLAT_INLINE float nearest_seen(float near, float prior, float scale, float offset) {
  const float limit = prior * scale + offset;
  return limit > near ? limit : near;
}

}  // namespace splat::math
