#include "viewer/camera/camera_moves.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "splat/math/framing.h"

namespace viewer {

using splat::math::cross;
using splat::math::dot;

namespace {

constexpr double kLevelled = 1e-5;   // radians of roll that nobody sees
constexpr double kVertical = 0.999;  // cosine: a direction this close to up has no horizontal part to speak of

// The orientation that looks along `forward` with `above` pointing up in the picture; both unit, not parallel.
Mat3 orientation(const Vec3& forward, const Vec3& above) {
  const Vec3 right = normalized(cross(forward, above)), down = cross(forward, right);
  return {{{right.x, down.x, forward.x}, {right.y, down.y, forward.y}, {right.z, down.z, forward.z}}};
}

double units_per_px(const CameraState& camera, int height) {  // in the plane through the pivot
  return 2 * camera.focus_distance * std::tan(radians(camera.fov_y_deg) / 2) / height;
}

}  // namespace

Mat3 turned(const Mat3& world_from_cam, const Vec3& up, double yaw, double pitch) {
  const Vec3 right = splat::math::column(world_from_cam, 0), down = splat::math::column(world_from_cam, 1);
  const double sine = std::clamp(dot(splat::math::column(world_from_cam, 2), up), -1.0, 1.0);
  const bool is_level = std::abs(dot(right, up)) < 1e-3 && dot(down, up) < 1e-9;
  if (is_level) {
    const double elevation = std::asin(sine);
    pitch = std::clamp(elevation + pitch, -kPi / 2, kPi / 2) - elevation;
  }
  return orthonormalized(rotation_about(up, yaw) * (rotation_about(right, pitch) * world_from_cam));
}

void orbit(CameraState& camera, const Vec3& up, double yaw, double pitch) {
  const Vec3 pivot = camera.pivot();
  camera.world_from_cam = turned(camera.world_from_cam, up, yaw, pitch);
  camera.position = pivot - camera.focus_distance * camera.forward();
}

void pan(CameraState& camera, int height, double dx_px, double dy_px) {
  const double scale = units_per_px(camera, height);
  camera.position = camera.position - (scale * dx_px) * camera.right() - (scale * dy_px) * camera.down();
}

void dolly(CameraState& camera, int width, int height, double focus_distance, const Pixel& at) {
  const double scale = units_per_px(camera, height), factor = focus_distance / camera.focus_distance;
  const Vec3 pivot = camera.pivot();
  const Vec3 anchor =
      pivot + (scale * (at.x - width / 2.0)) * camera.right() + (scale * (at.y - height / 2.0)) * camera.down();
  camera.focus_distance = focus_distance;
  camera.position = anchor + factor * (pivot - anchor) - focus_distance * camera.forward();
}

double roll(const CameraState& camera, const Vec3& up) {
  const Vec3 forward = camera.forward();
  const Vec3 level_right = cross(forward, up);
  if (length(level_right) < 1e-3) return 0;
  const Vec3 unit = normalized(level_right);
  return std::atan2(dot(cross(camera.right(), unit), forward), dot(camera.right(), unit));
}

bool level_by(CameraState& camera, const Vec3& up, double fraction) {
  const double angle = roll(camera, up);
  const bool last = std::abs(angle) * (1 - fraction) < kLevelled;
  camera.world_from_cam =
      orthonormalized(rotation_about(camera.forward(), last ? angle : fraction * angle) * camera.world_from_cam);
  return last;
}

CameraState framing(CameraState camera, const Bounds& bounds, double radius, int width, int height) {
  const double tan_y = std::tan(radians(camera.fov_y_deg) / 2), tan_x = tan_y * width / height;
  const auto places = splat::math::framed_places(0.5 * (bounds.high - bounds.low), camera.world_from_cam);
  camera.focus_distance = bounds.radius() > 0 ? splat::math::framed_distance(places, tan_x, tan_y)
                                              : radius / std::sin(std::atan(std::min(tan_x, tan_y)));
  camera.position = (bounds.empty() ? Vec3{0, 0, 0} : bounds.centre()) - camera.focus_distance * camera.forward();
  return camera;
}

namespace {

bool holds(const Bounds& box, const Vec3& p) {
  return p.x >= box.low.x && p.y >= box.low.y && p.z >= box.low.z && p.x <= box.high.x && p.y <= box.high.y &&
         p.z <= box.high.z;
}

// From a point inside, along a unit vector.
double distance_to_edge(const Bounds& box, const Vec3& from, const Vec3& along) {
  double distance = INFINITY;
  const auto limit = [&](double at, double step, double low, double high) {
    if (std::abs(step) > 1e-12) distance = std::min(distance, ((step > 0 ? high : low) - at) / step);
  };
  limit(from.x, along.x, box.low.x, box.high.x);
  limit(from.y, along.y, box.low.y, box.high.y);
  limit(from.z, along.z, box.low.z, box.high.z);
  return distance;
}

}  // namespace

std::optional<CameraState> view_from_inside(const Bounds& box, std::span<const CameraState> cameras,
                                            const CameraState& framed) {
  constexpr double kFartherOut = 1.4;  // than nine in ten of the cameras
  constexpr double kFar = 0.6;         // of the longest way that one of them looks along
  if (box.empty() || cameras.empty() || framed.orthographic) return std::nullopt;
  const Vec3 centre = box.centre();
  std::vector<double> distances;
  std::vector<const CameraState*> inside;
  double farthest = 0;
  for (const CameraState& camera : cameras) {
    distances.push_back(length(camera.position - centre));
    if (!holds(box, camera.position)) continue;
    inside.push_back(&camera);
    farthest = std::max(farthest, distance_to_edge(box, camera.position, camera.forward()));
  }
  std::nth_element(distances.begin(), distances.begin() + ptrdiff_t(distances.size() * 9 / 10), distances.end());
  const double usual = distances[distances.size() * 9 / 10];
  if (2 * inside.size() <= cameras.size() || length(framed.position - centre) < kFartherOut * usual)
    return std::nullopt;
  const CameraState* best = nullptr;
  for (const CameraState* camera : inside) {
    if (distance_to_edge(box, camera->position, camera->forward()) < kFar * farthest) continue;
    if (!best || dot(camera->forward(), framed.forward()) > dot(best->forward(), framed.forward())) best = camera;
  }
  CameraState view = *best;
  view.focus_distance = std::max(dot(centre - view.position, view.forward()), 0.2 * farthest);
  return view;
}

CameraState looking_along(CameraState camera, const Vec3& forward, const Vec3& up) {
  const Vec3 pivot = camera.pivot();
  const bool vertical = std::abs(dot(forward, up)) > kVertical;
  camera.world_from_cam = orientation(forward, vertical ? front(up) : up);
  camera.position = pivot - camera.focus_distance * camera.forward();
  return camera;
}

Vec3 front(const Vec3& up) {
  const Vec3 axis = std::abs(up.z) > 0.7 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  return normalized(axis - dot(axis, up) * up);
}

}  // namespace viewer
