#include "io/splats/html/home_view.h"

#include <algorithm>
#include <cmath>

#include "splat/math/vec.h"
#include "splat/model/robust_extent.h"
#include "splat/model/transform.h"

namespace io {

namespace {

using Vec3 = splat::math::Vec3<double>;
using splat::math::cross;
using splat::math::dot;

constexpr double kDownward = 0.25;  // of the way ahead
constexpr double kMargin = 1.1;     // of the radius
constexpr double kPi = 3.14159265358979323846;

Vec3 unit(const Vec3& a) { return (1 / std::sqrt(dot(a, a))) * a; }

}  // namespace

HomeView home_view(const splat::Gaussians& model, const std::array<double, 3>& up_axis) {
  HomeView home;
  if (const auto extent = splat::robust_extent(model)) {
    double square = 0;
    for (size_t c = 0; c < 3; ++c) {
      home.centre[c] = 0.5 * (extent->low[c] + extent->high[c]);
      square += (extent->high[c] - extent->low[c]) * (extent->high[c] - extent->low[c]);
    }
    if (square > 0) home.radius = 0.5 * std::sqrt(square);
  }
  const Vec3 up = unit({up_axis[0], up_axis[1], up_axis[2]});
  const Vec3 side = std::abs(up.z) < 0.95 ? Vec3{0, 0, 1} : Vec3{0, 1, 0};  // z is the side that files face
  const Vec3 forward = unit(unit(side - dot(side, up) * up) - kDownward * up);
  const Vec3 right = unit(cross(forward, up)), down = cross(forward, right);
  home.pose.world_from_cam =
      splat::quat_from_rotation({right.x, down.x, forward.x, right.y, down.y, forward.y, right.z, down.z, forward.z});
  home.distance = kMargin * home.radius / std::sin(home.pose.fov_y_deg * kPi / 360);
  home.pose.position = {home.centre[0] - home.distance * forward.x, home.centre[1] - home.distance * forward.y,
                        home.centre[2] - home.distance * forward.z};
  return home;
}

}  // namespace io
