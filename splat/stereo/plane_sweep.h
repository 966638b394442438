// Depths of a photo's pixels from photos beside it: planes at many depths are swept through the scene, and where the
// others, seen through a plane, look as this photo does, something is there (Collins 1996; in inverse depth, by the
// normalized cross-correlation of squares of 7x7 pixels).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "splat/backend/cpu/simd_level.h"
#include "splat/model/camera.h"
#include "splat/stereo/sweep_kernels.h"

namespace splat::stereo {

inline constexpr float kLeastLikeness = 0.6f;  // correlation, mean of the two photos that agree best
inline constexpr float kLeastMargin = 0.02f;   // by how much the best depth stands out from those not beside it

struct GreyPhoto {
  View view;
  std::vector<float> grey;    // [H,W] 0 to 255
  std::vector<uint8_t> mask;  // [H,W] 0: gets no depth; empty: every pixel may
};

struct SweptDepths {
  double step = 0;             // between two planes, in inverse depth
  std::vector<float> inverse;  // [H,W] 1 / depth along the axis, 1 / world units; 0: not known
  std::vector<float> score;    // [H,W] correlation there
};

// near < far: depths between which planes lie, so closely that one moves what it shows by 1.4 px at most in the middle
// of any of the others; 12 to 128 of them. Depths lie between planes (parabola through three). Nothing is known without
// others. The same bytes on every machine. Cost: pixels x planes x others; memory: some 60 bytes a pixel.
SweptDepths sweep_planes(const GreyPhoto& photo, std::span<const GreyPhoto* const> others, double near, double far,
                         SweepPlane sweep_plane);

SweepPlane sweep_plane_of(cpu::SimdLevel level);  // its loops over pixels; must be compiled in

}  // namespace splat::stereo
