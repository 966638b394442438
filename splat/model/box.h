// A box in space: between two corners along the axes of the world, then turned about its middle. The crop box of the
// window, --crop-box, --region and the region of a mesh are this one. Units of the world; cost: a few operations.
#pragma once

#include <array>
#include <vector>

#include "splat/math/quat.h"
#include "splat/model/camera.h"

namespace splat {

struct Box {
  std::array<double, 3> low{0, 0, 0}, high{0, 0, 0};  // both inside
  math::Quat<double> rotation{1, 0, 0, 0};            // of length 1: of the box's own axes into the world's

  bool empty() const;  // it has no inside: some side is not longer than 0
  bool turned() const { return !(rotation.x == 0 && rotation.y == 0 && rotation.z == 0); }
  std::array<double, 3> centre() const;
  std::array<double, 3> half() const;  // of the sides
  // The point, or direction, where it lay before the box was turned: between low and high means inside.
  std::array<double, 3> unturned(const std::array<double, 3>& point) const;
  std::array<double, 3> unturned_direction(const std::array<double, 3>& direction) const;
  bool contains(const std::array<double, 3>& point) const;    // false where a coordinate is not finite
  double distance(const std::array<double, 3>& point) const;  // to the box; 0 inside
  // Bit c of the index: the high end of the box's own axis c.
  std::array<std::array<double, 3>, 8> corners() const;
  friend bool operator==(const Box& a, const Box& b);
};

Box box_about(const std::array<double, 3>& centre, const std::array<double, 3>& half,
              const math::Quat<double>& rotation = {1, 0, 0, 0});

// The quaternion at length 1, unchanged where it has that to rounding, so that what was written is read again; of a
// length that is 0 or not finite as it is.
math::Quat<double> unit_quat(const math::Quat<double>& q);

// Finite, with an inside, and turned by a rotation.
bool is_usable(const Box& box);

// For every row of pixels, those whose rays meet the box in front of the camera, [H]; contiguous, since boxes are
// convex. None: begin == end.
struct PixelRun {
  int begin = 0, end = 0;  // px
};
std::vector<PixelRun> pixels_that_meet(const Box& box, const View& view);
bool sees(const std::vector<PixelRun>& pixels);  // any of them

}  // namespace splat
