// Paths for those who have none: round a scene, a small swing in front of a photo, a flight along the photos, from one
// photo to another. All of constant speed. Views: those of the photos, or one that looks at the scene.
#pragma once

#include <array>
#include <span>

#include "splat/path/camera_path.h"

namespace splat {

// A level circle round `centre`, once, looked at from where `start` is; the camera is upright.
struct Orbit {
  std::array<double, 3> centre{0, 0, 0};
  std::array<double, 3> up{0, -1, 0};     // of length 1
  std::array<double, 3> start{0, 0, -1};  // the first position
  double fov_y_deg = 50;
};
// About what the views look at (focus_point.h), at their mean distance and height, from the first one's side on.
// At least one view.
Orbit orbit_of(std::span<const View> views);
CameraPath orbit_path(const Orbit& orbit, double seconds);  // a loop; counterclockwise seen from above

// A flat ellipse in front of `view`, `part` of the distance to `centre` wide, which the camera keeps looking at.
CameraPath wiggle_path(const View& view, const std::array<double, 3>& centre, double seconds, double part = 0.06);

// Along the views in their order: the farthest of each other, at most `most_keys`, each smoothed with its neighbours.
// At least one view.
CameraPath flight_path(std::span<const View> views, double seconds, size_t most_keys = 24);

CameraPath path_between(const View& from, const View& to, double seconds);  // starts and ends gently

// Looks from `position` at `target`, upright; where both are one, or lie along `up`, still a rotation.
math::Quat<double> looking_at(const std::array<double, 3>& position, const std::array<double, 3>& target,
                              const std::array<double, 3>& up);

}  // namespace splat
