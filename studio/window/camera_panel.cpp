#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "studio/window/panels.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

constexpr double kSameUp = 1e-3;  // distance of unit vectors

void up_list(Look& look) {
  constexpr std::array<Vec3, 6> kAxes{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};
  std::vector<const char*> names{"automatic", "+X", "-X", "+Y", "-Y", "+Z", "-Z", "up in this view"};
  const int view = int(names.size()) - 1;
  const auto is_up = [&](const Vec3& axis) { return length(look.navigator.up() - axis) < kSameUp; };
  const int axis = int(std::find_if(kAxes.begin(), kAxes.end(), is_up) - kAxes.begin()) + 1;
  const bool none = axis == view && !is_up(look.guessed_up.up);
  if (none) names.push_back("another");  // of a view, of three points, of the ground
  int now = is_up(look.guessed_up.up) ? 0 : none ? view + 1 : axis;
  const std::string tip =
      "Which way is up, for navigation and the grid only: the data stays as it is. Your choice is remembered for this "
      "scene. Automatic: " +
      sentence(look.guessed_up.source);
  Row row("Up axis", tip.c_str());
  if (!choice("##up_axis", &now, names)) return;
  look.navigator.set_up(now == 0      ? look.guessed_up.up
                        : now == view ? -1.0 * look.navigator.camera().down()
                                      : kAxes[size_t(now - 1)]);
}

void view_buttons(Look& look, const Appearance& appearance) {
  EvenRow row(appearance, 2);
  if (row.button("Start view", "Back to the view the scene opened with (H)")) look.navigator.go_home();
  if (row.button("Level", "Remove the roll of the view (L)")) look.navigator.level();
}

void movement(Look& look, NavigationSettings& n) {
  float speed = float(n.speed), fov = float(n.fov_y_deg);
  {
    Row row("Flight speed",
            "With WASD and QE: at 1 the scene's radius, or the distance to it, in 2 s; Shift is 5 times faster, Alt 5 "
            "times slower (+ and - keys, or the wheel while looking). Default 1");
    if (slider("##speed", &speed, {0.01f, 100, 1, "%.2f", true})) n.speed = speed;
  }
  {
    Row row("Field of view", "Vertical, degrees. Default 50");
    if (slider("##fov", &fov, {5, 140, 50, "%.0f deg"})) {
      n.fov_y_deg = fov;
      CameraState camera = look.navigator.camera();
      camera.fov_y_deg = fov;
      look.navigator.set_camera(camera);
    }
  }
}

}  // namespace

void draw_camera_panel(Workspace& work) {
  if (!section("Camera")) return;
  view_buttons(work.look, work.appearance);
  draw_bookmarks(work);
  up_list(work.look);
  movement(work.look, work.settings.navigation);
  work.look.navigator.set_settings(work.settings.navigation);
}

}  // namespace studio
