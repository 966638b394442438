// The terms that make splats a surface (math/plane.h, math/distortion.h), in double, from the picture of the visible
// splats as planes.
#pragma once

#include <vector>

#include "splat/backend/reference/reference_render.h"
#include "splat/backend/surface_settings.h"
#include "splat/math/distortion.h"

namespace splat::reference {

struct SurfaceLoss {
  double value = 0;
  Picture planes;  // what their replay begins with
  // [H,W]
  std::vector<math::Vec3<double>> rays, v_planes;
  std::vector<double> depths;  // inverse
  bool facing = false;         // SurfaceSettings
  std::vector<math::Distortion<double>> distortions;
};
// splats: as planes; picture: of them.
SurfaceLoss surface_loss(const std::vector<ProjectedSplat>& splats, const Picture& picture,
                         const math::ViewParams<double>& view, const SurfaceSettings& settings);

// Adds what the loss does through weights and places of the splats to their gradients; returns those by their planes.
std::vector<math::Vec3<double>> add_plane_moments(const std::vector<ProjectedSplat>& planes, const SurfaceLoss& loss,
                                                  std::vector<math::SplatGradient<double>>& v_splats);

}  // namespace splat::reference
