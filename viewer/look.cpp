#include "viewer/look.h"

namespace viewer {
namespace {

constexpr double kLong = 10;  // s: any transition is over

}  // namespace

void Look::at_scene(double fov_y_deg, bool front_at_z) {
  constexpr double kDownward = 0.25;
  CameraState start = navigator.camera();
  start.fov_y_deg = fov_y_deg;
  start.orthographic = false;
  navigator.set_camera(start);
  const Vec3 ahead = any_perpendicular(navigator.up());
  const Vec3 z{0, 0, front_at_z ? -1. : 1.},
      level = z - dot(z, navigator.up()) * navigator.up();  // the side that files face
  navigator.look_along(normalized((length(level) > 0.3 ? normalized(level) : ahead) - kDownward * navigator.up()));
  navigator.update(kLong);
  navigator.frame_scene();
  navigator.update(kLong);
  navigator.set_home_here();
}

void Look::from_photo(int view) {
  CameraState start = navigator.camera();
  start.orthographic = false;
  navigator.set_camera(start);
  navigator.go_to_photo(view);
  navigator.update(kLong);
  navigator.set_home_photo(view);
}

}  // namespace viewer
