// The calls of triangles.h on a GPU: their arrays are in its memory, but for Attributes::differentiated, which is the
// host's. stream: the runtime's, null is its default one. What they give is triangles.h's: the same triangles and z/w,
// shares and gradients but for rounding. Each call is enqueued, and waits once: until the stream has come to it and its
// corners have been checked. Throws DeviceError.
#pragma once

#include "splat/raster/triangles/triangles.h"

namespace splat::triangles {

class Rasteriser {
 public:
  virtual ~Rasteriser() = default;
  virtual Status rasterize(const Scene& scene, float* rast, float* rast_db, void* stream) = 0;
  virtual Status rasterize_backward(const Scene& scene, const float* rast, const float* v_rast, const float* v_rast_db,
                                    float* v_positions, void* stream) = 0;
  virtual Status interpolate(const Attributes& attributes, float* out, float* out_da, void* stream) = 0;
  virtual Status interpolate_backward(const Attributes& attributes, const float* v_out, const float* v_out_da,
                                      const AttributeGradients& gradients, void* stream) = 0;
  virtual Status rasterize_faces(const FaceScene& scene, int32_t* face_numbers, float* shares, void* stream) = 0;
  virtual Status interpolate_faces(const FaceValues& values, float* out, void* stream) = 0;
};

}  // namespace splat::triangles
