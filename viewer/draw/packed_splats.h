// Splats in the form the OpenGL renderer's buffers hold them (shaders/splats.vert says how they are read). Made on a
// thread that is not the window's. Bytes a splat: 48 at SH degree 0, 64 at 1, 112 at 2, 136 at 3; the draw order
// adds 4. Rows that cannot be drawn (NaN, infinite, no rotation) get opacity 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/model/gaussians.h"

namespace viewer {

struct PackedSplats {
  size_t count = 0;
  int sh_degree = 0;
  int plane_texels = 0;  // texels of four halves that hold a channel's coefficients; 0: one texel holds r, g, b, 0
  std::vector<float> geometry;                    // [N,8] mean, opacity, scale, 0
  std::vector<std::array<uint16_t, 4>> rotation;  // [N] (unit quaternion wxyz + 1) / 2 * 65535
  // [N,plane_texels] half floats: red, green, blue, each in a buffer of its own; without planes the first has them all.
  std::array<std::vector<std::array<uint16_t, 4>>, 3> colours;

  size_t texels_of(size_t channel) const { return plane_texels > 0 ? size_t(plane_texels) : channel == 0; }
  size_t bytes_a_splat() const { return 40 + 8 * (texels_of(0) + texels_of(1) + texels_of(2)); }
};

PackedSplats pack_splats(const splat::Gaussians& gaussians, splat::ThreadPool& pool);

}  // namespace viewer
