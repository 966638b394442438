// Scenes smaller than what the near plane (math::kNearPlane) cuts off are drawn enlarged: larger splats seen from as
// much farther away are the same picture. What can choose its near plane takes one that is as much nearer.
#pragma once

#include "splat/model/camera.h"
#include "splat/model/gaussians.h"

namespace splat {

// What positions and sizes are multiplied with for drawing, and camera positions with them: a power of 2; 1 but for
// scenes whose robust_extent() reaches less than a tenth of a unit from its middle.
double near_scale(const Gaussians& model);
double near_scale(double radius);  // of a scene that reaches as far from its middle, world units
double near_plane(double radius);  // of such a scene, as it is

Gaussians enlarged(Gaussians model, double times);  // positions and sizes
View enlarged(View view, double times);             // its position

}  // namespace splat
