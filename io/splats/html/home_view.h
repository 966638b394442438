// From where a page without photos first shows its splats, in a square: the box of a first look (framed_extent()), from
// a little above, as the window does. A page fits it into its own shape.
#pragma once

#include <array>

#include "io/splats/common/page.h"
#include "splat/math/framing.h"
#include "splat/model/gaussians.h"

namespace io {

struct HomeView {
  PagePose pose;
  splat::math::FramedPlaces places{};
  std::array<double, 3> centre{};  // of the box, world
  double radius = 1;               // of the scene, world units
  double distance = 1;             // from the camera to the centre
};

HomeView home_view(const splat::Gaussians& model, const std::array<double, 3>& up,  // unit
                   bool front_at_z = false);

}  // namespace io
