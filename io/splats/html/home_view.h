// From where a page without photos first shows its splats: all of them, from a little above, as the window does.
#pragma once

#include <array>

#include "io/splats/common/page.h"
#include "splat/model/gaussians.h"

namespace io {

struct HomeView {
  PagePose pose;
  std::array<double, 3> centre{};  // of the scene, world
  double radius = 1;               // of the scene, world units
  double distance = 1;             // from the camera to the centre
};

HomeView home_view(const splat::Gaussians& model, const std::array<double, 3>& up);  // unit

}  // namespace io
