#include "splat/model/view_up.h"

#include <cmath>

namespace splat {

MeanUp mean_up(std::span<const Rigid3> cam_from_world) {
  std::array<double, 3> sum{};
  for (const Rigid3& pose : cam_from_world)
    for (size_t i = 0; i < 3; ++i) sum[i] -= pose.rotation[3 + i];
  const double length = std::hypot(sum[0], sum[1], sum[2]);
  MeanUp up;
  if (cam_from_world.empty() || !(length > 0)) return up;
  up.agreement = length / double(cam_from_world.size());
  for (size_t i = 0; i < 3; ++i) up.direction[i] = sum[i] / length;
  return up;
}

}  // namespace splat
