// Rasterisation of triangles that lie in arrays of others, and interpolation of what their corners carry, on the CPU:
// as nvdiffrast does both (with gradients), and as Hunyuan3D's custom_rasterizer does. Arrays are contiguous. Clip
// space: (x, y, z, w), x/w from -1 at the left to 1 at the right, y/w from -1 in row 0. Triangles are drawn from either
// side. Errors: a corner that is no vertex, a picture beyond 65535 px a side; nothing is written then. What a picture
// says of triangles that are not there reads as no triangle. The same bytes on any number of threads and at every SIMD
// level. pool: null is this thread alone. Cost: 10 000 triangles that fill 1024 x 1024 px, some ms
// (docs/benchmarks.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "splat/core/parallel.h"
#include "splat/core/result.h"

namespace splat::triangles {

struct Triangles {
  const int32_t* corners = nullptr;  // [T,3] vertices
  size_t count = 0;                  // T
};

// ---- nvdiffrast

// Several pictures: of the same triangles with positions of their own, or, with ranges, of parts of the triangles.
struct Scene {
  const float* positions = nullptr;  // [B,V,4] clip space; [V,4] with ranges
  size_t pictures = 1;               // B
  size_t vertices = 0;               // V
  Triangles triangles;               // fewer than 2^24
  const int32_t* ranges = nullptr;   // [B,2] first triangle and how many; null: all in each
  int width = 0, height = 0;         // px
};

// rast [B,H,W,4]: u, v, z/w and the triangle's number from 1, 0 where there is none (then all four are 0); u and v are
// the shares of the first two corners, with perspective. rast_db [B,H,W,4]: du/dX, du/dY, dv/dX, dv/dY, by px; null:
// not wanted. Seen is what has w > 0 and -1 <= z/w <= 1: triangles that reach behind the eye are cut there. Of equally
// near triangles the first is seen; a pixel is in a triangle whose border runs through its centre.
Status rasterize(const Scene& scene, float* rast, float* rast_db, ThreadPool* pool);

// v_positions, as positions, overwritten: through u and v and their derivatives, inside of triangles; which triangle a
// pixel sees, and z/w, count as fixed. v_rast_db: null is 0.
Status rasterize_backward(const Scene& scene, const float* rast, const float* v_rast, const float* v_rast_db,
                          float* v_positions, ThreadPool* pool);

struct Attributes {
  const float* values = nullptr;  // [B,V,A]; [V,A] without by_picture
  bool by_picture = false;
  size_t vertices = 0;  // V
  int channels = 0;     // A
  Triangles triangles;
  const float* rast = nullptr;     // [B,H,W,4]
  const float* rast_db = nullptr;  // [B,H,W,4]; null: no derivatives
  size_t pictures = 1;             // B
  int width = 0, height = 0;
  std::span<const int32_t> differentiated;  // [D] channels that derivatives by px are wanted of
};

// out [B,H,W,A], 0 where there is no triangle; out_da [B,H,W,D,2] by X and by Y, null without rast_db.
Status interpolate(const Attributes& attributes, float* out, float* out_da, ThreadPool* pool);

struct AttributeGradients {  // overwritten; null: not wanted
  float* values = nullptr;   // as Attributes::values; summed over pictures without by_picture
  float* rast = nullptr;     // [B,H,W,4] the last two 0
  float* rast_db = nullptr;  // [B,H,W,4]
};
Status interpolate_backward(const Attributes& attributes, const float* v_out, const float* v_out_da,
                            const AttributeGradients& gradients, ThreadPool* pool);

// ---- Hunyuan3D

// Its own habits: pixel centres of the first and the last column lie at x/w = -1 and 1 (rows likewise); nothing is cut
// at w = 0, corners behind the eye are where x/w and y/w say; depth is z/w 0.49999 + 0.5 in steps of 2^-18, from 0 to
// 8192, and of triangles in the same step the first is seen.
struct FaceScene {
  const float* positions = nullptr;  // [N,4] clip space
  size_t vertices = 0;               // N
  Triangles faces;
  int width = 0, height = 0;
  const float* depth_prior = nullptr;  // [H,W] z/w; what is nearer than this and the truncation is not seen. Null: none
  float occlusion_truncation = 0;      // of depth as above
};

// face_numbers [H,W] from 1, 0: none; shares [H,W,3] of the corners, with perspective.
Status rasterize_faces(const FaceScene& scene, int32_t* face_numbers, float* shares, ThreadPool* pool);

// out [H,W,A] out of values [N,A].
struct FaceValues {
  const float* values = nullptr;  // [N,A]
  size_t vertices = 0;            // N
  int channels = 0;               // A
  Triangles faces;
  size_t pixels = 0;                      // H W
  const int32_t* face_numbers = nullptr;  // [H,W]
  const float* shares = nullptr;          // [H,W,3]
};
Status interpolate_faces(const FaceValues& values, float* out, ThreadPool* pool);

}  // namespace splat::triangles
