// Depth maps of views, and checks of their consistency.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/model/camera.h"

namespace mesh {

inline constexpr float kNothing = -1;

struct DepthMap {
  splat::View view;
  // [H,W] along the camera's axis, world units, at pixel centres; 0: not known; kNothing: at no depth is anything.
  std::vector<float> depth;

  float at(int x, int y) const { return depth[size_t(y) * size_t(view.camera.width) + size_t(x)]; }
};

std::array<double, 3> point_of(const DepthMap& map, int x, int y);  // world: what the pixel shows, where it has a depth

// Pixels become kNothing where `empty` [H,W] (1: no surface is seen there) holds for all within 2 px of them: nearer,
// an edge may only just have missed the pixel.
void mark_empty(DepthMap& map, const std::vector<uint8_t>& empty);

struct DepthChecks {
  float edge = 0.03f;     // a pixel whose depth differs by more than this share from a neighbour's is an edge: dropped
  float confirm = 0.01f;  // a second view must see the point within this share of its depth
  int views = 1;          // how many others must confirm a pixel; fewer where there are no more views
};

struct DepthSmoothing {
  int radius = 5;      // px
  float edge = 0.05f;  // what differs by more than this share of the depth is another surface
};

// Each depth becomes that of the plane that fits those around it best (weighted least squares over one over the depth,
// which is straight on the screen where a surface is): median depths are those of splats' centres, and jump from one to
// the next. Exact planes stay, and what is no depth.
void smooth_depths(std::vector<DepthMap>& maps, const DepthSmoothing& smoothing, splat::ThreadPool& pool);

// Sets to 0 what depth is an edge or what no other view confirms. A point that other views look past (in front of what
// they see) is not confirmed by them either. Returns by how much of its depth a pixel differs from what the nearest
// view sees there; four of five differ less. Cost: every pixel once for each of its view's eight nearest views by
// direction.
float drop_unreliable(std::vector<DepthMap>& maps, const DepthChecks& checks, splat::ThreadPool& pool);

// Depth at a place between pixel centres (px): bilinear where the four around lie within `edge` of each other, else
// the nearest, which may be kNothing; 0 where that is not known or the place is outside.
float depth_at(const DepthMap& map, float x, float y, float edge);

}  // namespace mesh
