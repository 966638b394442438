#include "viewer/camera/camera_state.h"

#include <algorithm>
#include <cmath>

namespace viewer {

using splat::math::transposed_times;

namespace {

splat::Rigid3 cam_from_world(const Vec3& centre, const Mat3& world_from_cam) {
  splat::Rigid3 pose;
  const Mat3 rotation = transposed(world_from_cam);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) pose.rotation[size_t(3 * r + c)] = rotation.m[r][c];
  const Vec3 t = rotation * centre;
  pose.translation = {-t.x, -t.y, -t.z};
  return pose;
}

Mat3 rotation_of(const splat::Rigid3& pose) {  // cam_from_world
  Mat3 rotation;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) rotation.m[r][c] = pose.rotation[size_t(3 * r + c)];
  return rotation;
}

}  // namespace

splat::View view_of(const CameraState& state, int width, int height) {
  double fov_y = radians(state.fov_y_deg);
  Vec3 centre = state.position;
  if (state.orthographic) {
    const double narrow = radians(kOrthographicFovDeg);
    const double distance = state.focus_distance * std::tan(fov_y / 2) / std::tan(narrow / 2);
    centre = state.pivot() - distance * state.forward();
    fov_y = narrow;
  }
  splat::View view;
  view.camera.width = width;
  view.camera.height = height;
  view.camera.fx = view.camera.fy = float(height / 2.0 / std::tan(fov_y / 2));
  view.camera.cx = float(width / 2.0);
  view.camera.cy = float(height / 2.0);
  view.cam_from_world = cam_from_world(centre, state.world_from_cam);
  return view;
}

bool same_view(const splat::View& a, const splat::View& b) { return a == b; }

bool same_camera(const CameraState& a, const CameraState& b) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      if (a.world_from_cam.m[r][c] != b.world_from_cam.m[r][c]) return false;
  return array3(a.position) == array3(b.position) && a.fov_y_deg == b.fov_y_deg &&
         a.focus_distance == b.focus_distance && a.orthographic == b.orthographic;
}

Vec3 ray_through(const CameraState& state, int width, int height, double x, double y) {
  const splat::View view = view_of(state, width, height);
  return normalized(state.world_from_cam *
                    Vec3{(x - view.camera.cx) / view.camera.fx, (y - view.camera.cy) / view.camera.fy, 1});
}

std::optional<Pixel> pixel_of(const splat::View& view, const Vec3& point) {
  return splat::pixel_of(view, array3(point));
}

Vec3 point_at(const splat::View& view, double x, double y, double depth) {
  return vec3(splat::point_at(view, {x, y, depth}));
}

splat::View fitted(const splat::View& photo, int width, int height) {
  const splat::PinholeCamera& from = photo.camera;
  const double scale = std::min(double(width) / from.width, double(height) / from.height);
  splat::View view = photo;
  view.camera.width = width;
  view.camera.height = height;
  view.camera.fx = float(from.fx * scale);
  view.camera.fy = float(from.fy * scale);
  view.camera.cx = float((width - scale * from.width) / 2 + scale * from.cx);
  view.camera.cy = float((height - scale * from.height) / 2 + scale * from.cy);
  return view;
}

CameraState state_of(const splat::View& photo, int width, int height, double focus_distance) {
  CameraState state;
  state.position = vec3(photo.cam_from_world.origin_in_source());
  state.world_from_cam = transposed(rotation_of(photo.cam_from_world));
  state.fov_y_deg = degrees(2 * std::atan(height / 2.0 / fitted(photo, width, height).camera.fy));
  state.focus_distance = focus_distance;
  return state;
}

}  // namespace viewer
