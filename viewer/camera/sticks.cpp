#include "viewer/camera/sticks.h"

#include <algorithm>
#include <cmath>

namespace viewer {
namespace {

constexpr double kDeadZone = 0.15;  // of the way: sticks that nobody touches rest within it

double shaped(double reach) {
  const double beyond = std::clamp((reach - kDeadZone) / (1 - kDeadZone), 0.0, 1.0);
  return beyond * beyond;
}

// Its direction is kept, so that a stick held slantwise does not snap to an axis.
std::array<double, 2> stick(double x, double y) {
  const double reach = std::hypot(x, y);
  if (!(reach > kDeadZone)) return {0, 0};
  const double factor = shaped(std::min(reach, 1.0)) / reach;
  return {factor * x, factor * y};
}

double trigger(double axis) { return std::isfinite(axis) ? shaped(std::clamp((axis + 1) / 2, 0.0, 1.0)) : 0; }

}  // namespace

Sticks sticks_of(const std::array<float, 6>& axes) {
  const auto [right, back] = stick(axes[0], axes[1]);
  const auto [turn_right, turn_down] = stick(axes[2], axes[3]);
  return {-back, right, trigger(axes[5]) - trigger(axes[4]), turn_right, turn_down};
}

}  // namespace viewer
