// A gamepad's sticks and triggers as they steer the camera: plain values, so that navigation needs no device.
#pragma once

#include <array>

namespace viewer {

// Each from -1 to 1; 0: at rest.
struct Sticks {
  double forward = 0, right = 0, up = 0;  // flight
  double turn_right = 0, turn_down = 0;   // of the view
  bool any() const { return forward != 0 || right != 0 || up != 0 || turn_right != 0 || turn_down != 0; }
  friend bool operator==(const Sticks&, const Sticks&) = default;
};

// The six axes of a gamepad in GLFW's (SDL's) order: left x, left y, right x, right y, each -1..1, right and down
// positive; left and right trigger, -1 (released) to 1. Within the dead zone a stick is at rest, and beyond it answers
// with the square of the way, so that small movements are slow.
Sticks sticks_of(const std::array<float, 6>& axes);

}  // namespace viewer
