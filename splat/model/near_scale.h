// Scenes smaller than what the near plane (math::kNearPlane) cuts off are drawn enlarged: larger splats seen from as
// much farther away are the same picture.
#pragma once

#include "splat/model/gaussians.h"

namespace splat {

// What positions and sizes are multiplied with for drawing, and camera positions with them: a power of 2; 1 but for
// scenes whose robust_extent() reaches less than a tenth of a unit from its middle.
double near_scale(const Gaussians& model);

}  // namespace splat
