// The terms that make splats a surface (math/plane.h), in double, from the picture of the visible splats as planes.
#pragma once

#include <vector>

#include "splat/backend/reference/reference_render.h"

namespace splat::reference {

struct SurfaceLoss {
  double value = 0;
  Picture planes;                            // what their replay begins with
  std::vector<math::Vec3<double>> v_planes;  // [H,W]
};
SurfaceLoss surface_loss(Picture planes, const math::ViewParams<double>& view, const SurfaceSettings& settings);

// Adds what the loss does through weights and places of the splats to their gradients; returns those by their planes.
std::vector<math::Vec3<double>> add_plane_moments(const std::vector<ProjectedSplat>& planes, const SurfaceLoss& loss,
                                                  std::vector<math::SplatGradient<double>>& v_splats);

}  // namespace splat::reference
