// A rectangle of the window, in ImGui's coordinates.
#pragma once

namespace viewer {

struct Area {
  float x = 0, y = 0, width = 0, height = 0;
  bool contains(double px, double py) const { return px >= x && py >= y && px < x + width && py < y + height; }
};

}  // namespace viewer
