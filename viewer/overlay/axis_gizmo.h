// The small cross of the world's axes in a corner of the scene: where its tips are, and which one is under the pointer.
#pragma once

#include <array>
#include <optional>

#include "viewer/camera/camera_state.h"

namespace viewer {

struct AxisTip {
  int axis = 0;  // 0: X, 1: Y, 2: Z
  bool positive = true;
  double x = 0, y = 0;  // px from the middle, y down; of length <= 1
  double depth = 0;     // along the view, [-1,1]; larger is further away

  Vec3 direction() const;  // unit, world
};

// All six tips as the camera sees them from afar, the furthest first.
std::array<AxisTip, 6> axis_tips(const Mat3& world_from_cam);

// The nearest tip (by depth) within `radius` of a point; lengths in units of the cross's arm.
std::optional<AxisTip> tip_at(const std::array<AxisTip, 6>& tips, double x, double y, double radius);

}  // namespace viewer
