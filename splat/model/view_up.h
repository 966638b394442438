// Which way is up, from how cameras were held.
#pragma once

#include <array>
#include <span>

#include "splat/model/camera.h"

namespace splat {

struct MeanUp {
  std::array<double, 3> direction{0, -1, 0};  // of length 1, in the world
  double agreement = 0;                       // 0..1: length of the mean of the cameras' up directions
};

// The mean of -y of each camera.
MeanUp mean_up(std::span<const Rigid3> cam_from_world);

}  // namespace splat
