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
constexpr double kPi = 3.14159265358979323846;

double length(const Vec3& a) { return std::sqrt(dot(a, a)); }
Vec3 unit(const Vec3& a) { return (1 / length(a)) * a; }
Vec3 half_of(const splat::Extent& e) {
  return {0.5 * (e.high[0] - e.low[0]), 0.5 * (e.high[1] - e.low[1]), 0.5 * (e.high[2] - e.low[2])};
}

}  // namespace

HomeView home_view(const splat::Gaussians& model, const std::array<double, 3>& up_axis, bool front_at_z) {
  HomeView home;
  if (const auto extent = splat::robust_extent(model))
    if (const double radius = length(half_of(*extent)); radius > 0) home.radius = radius;
  Vec3 half{1, 1, 1};
  if (const auto framed = splat::framed_extent(model)) {
    for (size_t c = 0; c < 3; ++c) home.centre[c] = 0.5 * (framed->low[c] + framed->high[c]);
    if (length(half_of(*framed)) > 0) half = half_of(*framed);
  }
  const Vec3 up = unit({up_axis[0], up_axis[1], up_axis[2]});
  const double ahead = front_at_z ? -1 : 1;
  const Vec3 side = std::abs(up.z) < 0.95 ? Vec3{0, 0, ahead} : Vec3{0, 1, 0};  // from the side that files face
  const Vec3 forward = unit(unit(side - dot(side, up) * up) - kDownward * up);
  const Vec3 right = unit(cross(forward, up)), down = cross(forward, right);
  home.pose.world_from_cam =
      splat::quat_from_rotation({right.x, down.x, forward.x, right.y, down.y, forward.y, right.z, down.z, forward.z});
  home.places = splat::math::framed_places(half, splat::math::rotation_from_quat(home.pose.world_from_cam));
  const double tangent = std::tan(home.pose.fov_y_deg * kPi / 360);
  home.distance = splat::math::framed_distance(home.places, tangent, tangent);
  home.pose.position = {home.centre[0] - home.distance * forward.x, home.centre[1] - home.distance * forward.y,
                        home.centre[2] - home.distance * forward.z};
  return home;
}

}  // namespace io
