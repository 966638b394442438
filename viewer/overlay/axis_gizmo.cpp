#include "viewer/overlay/axis_gizmo.h"

#include <algorithm>
#include <cmath>

namespace viewer {

Vec3 AxisTip::direction() const {
  std::array<double, 3> unit{};
  unit[size_t(axis)] = positive ? 1 : -1;
  return vec3(unit);
}

std::array<AxisTip, 6> axis_tips(const Mat3& world_from_cam) {
  const Vec3 right = splat::math::column(world_from_cam, 0), down = splat::math::column(world_from_cam, 1),
             forward = splat::math::column(world_from_cam, 2);
  std::array<AxisTip, 6> tips;
  for (size_t i = 0; i < tips.size(); ++i) {
    AxisTip& tip = tips[i];
    tip.axis = int(i / 2);
    tip.positive = i % 2 == 0;
    const Vec3 to = tip.direction();
    tip.x = dot(to, right), tip.y = dot(to, down), tip.depth = dot(to, forward);
  }
  std::stable_sort(tips.begin(), tips.end(), [](const AxisTip& a, const AxisTip& b) { return a.depth > b.depth; });
  return tips;
}

std::optional<AxisTip> tip_at(const std::array<AxisTip, 6>& tips, double x, double y, double radius) {
  std::optional<AxisTip> found;
  for (const AxisTip& tip : tips)  // nearer ones are drawn over those further away
    if (std::hypot(tip.x - x, tip.y - y) <= radius) found = tip;
  return found;
}

}  // namespace viewer
