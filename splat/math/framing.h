// How far from the middle of a box a camera stands that looks at it, so that all of the box is in the picture with a
// tenth to spare: for Home, thumbnails, films and pages. Lengths in world units. Twin: Camera.fit(), web/camera.js.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "splat/math/vec.h"

namespace splat::math {

// What of a box is to be in the picture: how far it is across, down (both without sign, with the tenth) and ahead of
// the middle, in the camera's frame. Its corners, and a place that keeps the camera out of it.
using FramedPlaces = std::array<Vec3<double>, 9>;

inline FramedPlaces framed_places(const Vec3<double>& half, const Mat3<double>& world_from_cam) {
  constexpr double kMargin = 1.1;
  FramedPlaces places;
  for (int i = 0; i < 8; ++i) {
    const Vec3<double> corner{i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
    places[size_t(i)] = {kMargin * std::abs(dot(corner, column(world_from_cam, 0))),
                         kMargin * std::abs(dot(corner, column(world_from_cam, 1))),
                         dot(corner, column(world_from_cam, 2))};
  }
  places[8] = {0, 0, -kMargin * std::sqrt(dot(half, half))};
  return places;
}

// tan_x, tan_y: of half the angles of view.
inline double framed_distance(const FramedPlaces& places, double tan_x, double tan_y) {
  double distance = 0;
  for (const Vec3<double>& place : places)
    distance = std::max(distance, std::max(place.x / tan_x, place.y / tan_y) - place.z);
  return distance;
}

}  // namespace splat::math
