// Small motions of a camera's frame, to the left of cam_from_world: x <- exp(rotation) x + translation. Rotation
// vectors are axis times angle (Rodrigues).
#pragma once

#include <array>

#include "splat/model/camera.h"

namespace splat {

struct RigidMotion {
  std::array<double, 3> translation{0, 0, 0};  // world units
  std::array<double, 3> rotation{0, 0, 0};     // radians
};

Rigid3 moved(const Rigid3& cam_from_world, const RigidMotion& motion);
// The motion with moved(from, motion) == to, the shorter way round.
RigidMotion motion_between(const Rigid3& from, const Rigid3& to);

}  // namespace splat
