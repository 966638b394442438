#include "splat/path/ready_made.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "splat/core/check.h"
#include "splat/math/quat_curve.h"
#include "splat/model/focus_point.h"
#include "splat/model/stray_views.h"
#include "splat/model/transform.h"
#include "splat/model/view_up.h"
#include "splat/path/vectors.h"

namespace splat {

using math::Quat;
using Vector = std::array<double, 3>;
using V = math::Vec3<double>;

namespace {

constexpr int kOrbitKeys = 24, kWiggleKeys = 8;

Vector array_of(const V& v) { return {v.x, v.y, v.z}; }

// The part of `v` across `axis`, of length 1; of what lies along it any direction across.
V across(const V& v, const V& axis) {
  const V part = v - math::dot(v, axis) * axis;
  if (length(part) > 1e-9 * std::max(length(v), 1e-300)) return (1 / length(part)) * part;
  return across(std::abs(axis.x) < 0.6 ? V{1, 0, 0} : V{0, 1, 0}, axis);
}

std::vector<Rigid3> poses_of(std::span<const View> views) {
  std::vector<Rigid3> poses;
  for (const View& view : views) poses.push_back(view.cam_from_world);
  return poses;
}

// A camera that a reconstruction has thrown far away is no place to fly to or around.
std::vector<View> near_views(std::span<const View> views) {
  return without_outside<View>(views, [](const View& view) { return view.cam_from_world; });
}

double mean_fov(std::span<const View> views) {
  double sum = 0;
  for (const View& view : views) sum += pose_of(view).fov_y_deg;
  return std::clamp(sum / double(views.size()), kLeastFov, kMostFov);
}

// Which views are keys: the first, then always that farthest from all chosen ones.
std::vector<size_t> farthest(const std::vector<Vector>& centres, size_t most) {
  std::vector<double> nearest(centres.size(), std::numeric_limits<double>::infinity());
  std::vector<size_t> chosen{0};
  while (chosen.size() < std::min(most, centres.size())) {
    size_t far = 0;
    for (size_t i = 0; i < centres.size(); ++i) {
      nearest[i] = std::min(nearest[i], length(vec(centres[i]) - vec(centres[chosen.back()])));
      if (nearest[i] > nearest[far]) far = i;
    }
    if (!(nearest[far] > 0)) break;  // all others lie where chosen ones do
    chosen.push_back(far);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// The mean of the views about `middle` in their order, weighted by a bell of that width.
CameraPose smoothed(std::span<const View> views, size_t middle, double width, double fov) {
  const CameraPose at = pose_of(views[middle]);
  const size_t reach = size_t(2 * width) + 1;
  V position{0, 0, 0};
  Quat<double> turn{0, 0, 0, 0};
  double sum = 0;
  for (size_t i = middle - std::min(middle, reach); i <= std::min(middle + reach, views.size() - 1); ++i) {
    const double away = (double(i) - double(middle)) / width, weight = std::exp(-0.5 * away * away);
    const CameraPose pose = pose_of(views[i]);
    const double sign = math::dot(pose.world_from_cam, at.world_from_cam) < 0 ? -weight : weight;
    const Quat<double>& q = pose.world_from_cam;
    turn = {turn.w + sign * q.w, turn.x + sign * q.x, turn.y + sign * q.y, turn.z + sign * q.z};
    position = position + weight * vec(pose.position);
    sum += weight;
  }
  return {array_of((1 / sum) * position), math::normalised(turn), fov};
}

}  // namespace

Quat<double> looking_at(const Vector& position, const Vector& target, const Vector& up) {
  const V to = vec(target) - vec(position);
  const V z = length(to) > 0 ? (1 / length(to)) * to : across({0, 0, 1}, vec(up));
  const V y = across(-1.0 * vec(up), z), x = math::cross(y, z);
  return quat_from_rotation({x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z});
}

Orbit orbit_of(std::span<const View> all) {
  SPLAT_CHECK(!all.empty());
  const std::vector<View> views = near_views(all);
  const std::vector<Rigid3> poses = poses_of(views);
  Orbit orbit;
  orbit.centre = focus_point(poses, 1);
  orbit.up = mean_up(poses).direction;
  orbit.fov_y_deg = mean_fov(views);
  double radius = 0, height = 0;
  const V up = vec(orbit.up);
  for (const Rigid3& pose : poses) {
    const V from = vec(pose.origin_in_source()) - vec(orbit.centre);
    height += math::dot(from, up) / double(poses.size());
    radius += length(from - math::dot(from, up) * up) / double(poses.size());
  }
  const V side = across(vec(poses[0].origin_in_source()) - vec(orbit.centre), up);
  orbit.start = array_of(vec(orbit.centre) + height * up + std::max(radius, 1e-6) * side);
  return orbit;
}

CameraPath orbit_path(const Orbit& orbit, double seconds) {
  const V centre = vec(orbit.centre), up = vec(orbit.up), from = vec(orbit.start) - centre;
  const V height = math::dot(from, up) * up, a = from - height, b = math::cross(up, a);
  CameraPath path;
  path.loop = LoopMode::kLoop;
  path.constant_speed = true;
  path.target = orbit.centre;
  path.closing_seconds = seconds / kOrbitKeys;
  for (int i = 0; i < kOrbitKeys; ++i) {
    const double angle = 2 * std::numbers::pi * i / kOrbitKeys;
    const Vector position = array_of(centre + height + std::cos(angle) * a + std::sin(angle) * b);
    path.keys.push_back(
        {seconds * i / kOrbitKeys, {position, looking_at(position, orbit.centre, orbit.up), orbit.fov_y_deg}});
  }
  return path;
}

CameraPath wiggle_path(const View& view, const Vector& centre, double seconds, double part) {
  const CameraPose pose = pose_of(view);
  const auto& r = view.cam_from_world.rotation;
  const V right{r[0], r[1], r[2]}, down{r[3], r[4], r[5]}, up = -1.0 * down;
  const double wide = part * length(vec(centre) - vec(pose.position));
  CameraPath path;
  path.loop = LoopMode::kLoop;
  path.constant_speed = true;
  path.target = centre;
  path.closing_seconds = seconds / kWiggleKeys;
  for (int i = 0; i < kWiggleKeys; ++i) {
    const double angle = 2 * std::numbers::pi * i / kWiggleKeys;
    const Vector position =
        array_of(vec(pose.position) + (wide * std::sin(angle)) * right + (0.4 * wide * std::cos(angle)) * down);
    path.keys.push_back(
        {seconds * i / kWiggleKeys, {position, looking_at(position, centre, array_of(up)), pose.fov_y_deg}});
  }
  return path;
}

CameraPath flight_path(std::span<const View> all, double seconds, size_t most_keys) {
  SPLAT_CHECK(!all.empty());
  const std::vector<View> views = near_views(all);
  std::vector<Vector> centres;
  for (const View& view : views) centres.push_back(view.cam_from_world.origin_in_source());
  const std::vector<size_t> chosen = farthest(centres, std::max<size_t>(most_keys, 2));
  const double width = std::max(0.5, double(views.size()) / double(2 * chosen.size())), fov = mean_fov(views);
  CameraPath path;
  path.constant_speed = true;
  path.target = focus_point(poses_of(views), 1);
  for (size_t i = 0; i < chosen.size(); ++i) {
    const double part = chosen.size() < 2 ? 0 : double(i) / double(chosen.size() - 1);
    path.keys.push_back({seconds * part, smoothed(views, chosen[i], width, fov)});
  }
  path.keys.front().ease = path.keys.back().ease = true;
  return path;
}

CameraPath path_between(const View& from, const View& to, double seconds) {
  CameraPath path;
  path.keys = {{0, pose_of(from), true}, {seconds, pose_of(to), true}};
  return path;
}

}  // namespace splat
