// Weights of the terms that make splats a surface (Backend::add_surface_loss): each a mean over the view's pixels.
#pragma once

#include <cstdint>
#include <span>

namespace splat {

// A depth map beside the view: a pixel's inverse depth should be scale * x + shift, with x its number or one over it.
struct DepthPrior {
  std::span<const uint16_t> values;  // [H,W] of the view, 0: not known; empty: none
  bool is_depth = false;             // of depths, not inverse depths
  float scale = 0, shift = 0;
};

struct SurfaceSettings {
  float normal_weight = 0;      // of 1 - the cosine between drawn normals and those of the depths (math/plane.h)
  float distortion_weight = 0;  // world units^2, of what lies apart in inverse depth (math/distortion.h)
  float depth_weight = 0;       // world units, of the difference in inverse depth from `depth`, where both are known
  DepthPrior depth{};
  bool facing = false;  // splats as planes that face the camera: for depths alone, of splats that are not flat

  bool weighs() const {
    return normal_weight != 0 || distortion_weight != 0 || (depth_weight != 0 && !depth.values.empty());
  }
};

}  // namespace splat
