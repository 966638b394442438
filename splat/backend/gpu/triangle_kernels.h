// The stages of triangles on the GPU (gpu_triangles.h). As kernels.h: everything is enqueued on the target's stream,
// nothing waits. All pointers are to the device's memory; null is allowed where it is said. A triangle with a corner
// that is no vertex reads as none.
#pragma once

#include "splat/backend/gpu/kernels.h"
#include "splat/math/screen_triangle.h"

namespace splat::gpu {

struct TriangleList {
  const int32_t* corners;    // [T,3]
  uint32_t count, vertices;  // T, V
};

// The first corner that is no vertex, and the first range of triangles that are not there; all ones: none.
struct TriangleFaults {
  unsigned long long corner, range;
};
struct TriangleCheck {
  TriangleList list;
  const int32_t* ranges;  // [pictures,2] or null
  uint32_t pictures;
  TriangleFaults* faults;  // all ones before
};
void check_triangles(const TriangleCheck& args, const Target& target);

struct PreparedTriangle {
  math::ScreenTriangle plane;
  float weight[3];
};
// One picture.
struct TriangleDrawing {
  TriangleList list;
  const float* positions;  // [V,4]
  const int32_t* range;    // [2] first triangle and how many; null: all
  math::PictureSize size;
  bool faces;              // Hunyuan3D's habits, else nvdiffrast's
  float near, far, steps;  // as triangles::TriangleJob
  const float* prior;      // [H,W] or null
  float prior_offset;
  PreparedTriangle* prepared;  // [T]
  uint32_t most_items;         // of a triangle
  uint32_t* items;             // [T+1] shares of the triangles' work; the last 0
  const uint32_t* first_item;  // [T+1] their sums
  unsigned long long* seen;    // [H,W] all ones before: ordered bits of the depth, and below the triangle
};
void prepare_triangles(const TriangleDrawing& args, const Target& target);
void draw_triangles(const TriangleDrawing& args, const Target& target);
struct TriangleRast : TriangleDrawing {
  float *rast, *rast_db;  // [H,W,4]; rast_db or null
};
void write_rast(const TriangleRast& args, const Target& target);
struct TriangleFaces : TriangleDrawing {
  int32_t* numbers;  // [H,W]
  float* shares;     // [H,W,3]
};
void write_faces(const TriangleFaces& args, const Target& target);

// Adds up by vertex, in x, y and w of its homogeneous pixel.
struct TriangleBackward {
  TriangleList list;
  const float* positions;  // [V,4]
  math::PictureSize size;
  const float *rast, *v_rast, *v_rast_db;  // [H,W,4]; v_rast_db or null
  double* sums;                            // [V,3]
};
void triangle_backward(const TriangleBackward& args, const Target& target);
struct TrianglePositionGradient {
  const double* sums;  // [count,3]
  size_t count;
  math::PictureSize size;
  float* v_positions;  // [count,4]
};
void write_position_gradient(const TrianglePositionGradient& args, const Target& target);

// One picture's attributes.
struct TriangleValues {
  TriangleList list;
  const float* values;  // [V,A]
  int channels;         // A
  math::PictureSize size;
  const float *rast, *rast_db;  // [H,W,4]; rast_db or null
  const int32_t* wanted;        // [D]
  int wanted_count;             // D
};
struct TriangleInterpolation : TriangleValues {
  float *out, *out_da;  // [H,W,A], [H,W,D,2]
};
void interpolate_triangles(const TriangleInterpolation& args, const Target& target);
struct TriangleValueGradients : TriangleValues {
  const float *v_out, *v_out_da;  // v_out_da or null
  float *v_rast, *v_rast_db;      // or null
  double* sums;                   // [V,A] or null; added to
};
void interpolate_triangles_backward(const TriangleValueGradients& args, const Target& target);
void write_floats(const double* from, float* to, size_t count, const Target& target);

struct FaceInterpolation {
  TriangleList list;
  const float* values;  // [V,A]
  int channels;         // A
  size_t pixels;
  const int32_t* numbers;  // [pixels]
  const float* shares;     // [pixels,3]
  float* out;              // [pixels,A]
};
void interpolate_faces(const FaceInterpolation& args, const Target& target);

}  // namespace splat::gpu
