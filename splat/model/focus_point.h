// What cameras look at.
#pragma once

#include <array>
#include <span>

#include "splat/model/camera.h"

namespace splat {

// The point with the least sum of squared distances to all optical axes, world; where these are almost parallel the
// point `fallback_distance` ahead of the mean camera. At least one pose.
std::array<double, 3> focus_point(std::span<const Rigid3> cams_from_world, double fallback_distance);

// The mean distance of the cameras from a point.
double mean_distance(std::span<const Rigid3> cams_from_world, const std::array<double, 3>& point);

}  // namespace splat
