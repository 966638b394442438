#include <cmath>

#include "studio/window/panels.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

void up_buttons(Look& look, const Appearance& appearance) {
  struct Axis {
    const char* name;
    Vec3 up;
  };
  static const Axis axes[] = {{"+X", {1, 0, 0}},  {"-X", {-1, 0, 0}}, {"+Y", {0, 1, 0}},
                              {"-Y", {0, -1, 0}}, {"+Z", {0, 0, 1}},  {"-Z", {0, 0, -1}}};
  ImGui::TextUnformatted("Up axis");
  const std::string source = sentence(look.guessed_up.source);
  tooltip(("The up axis, for navigation and the grid only: the data stays as it is. Your choice is remembered for this "
           "scene. Default: " +
           source)
              .c_str());
  {
    EvenRow row(appearance, 6);
    for (const Axis& axis : axes)
      if (row.button(axis.name, "This axis of the file points up", length(look.navigator.up() - axis.up) < 1e-3))
        look.navigator.set_up(axis.up);
  }
  EvenRow row(appearance, 2);
  if (row.button("From view", "Use the up direction of this view"))
    look.navigator.set_up(-1.0 * look.navigator.camera().down());
  if (row.button("Default", ("Back to the default: " + source).c_str())) look.navigator.set_up(look.guessed_up.up);
}

void view_buttons(Look& look, const Appearance& appearance) {
  EvenRow row(appearance, 2);
  if (row.button("Start view", "Back to the view the scene opened with (H)")) look.navigator.go_home();
  if (row.button("Level", "Remove the roll of the view (L)")) look.navigator.level();
}

void bookmarks(Look& look, const Appearance& appearance) {
  ImGui::TextUnformatted("Bookmarks");
  tooltip("Press 1 to 9 to go to a view, Ctrl+1 to 9 to store the current one. They are remembered for this scene");
  EvenRow row(appearance, Navigator::kBookmarks);
  for (int i = 0; i < Navigator::kBookmarks; ++i) {
    const bool stored = look.navigator.bookmarks()[size_t(i)].has_value();
    const bool pressed = row.button(std::to_string(i + 1).c_str(),
                                    stored ? "Click: go to this view. Ctrl+click: store the current view here"
                                           : "Click: store the current view here",
                                    stored);
    if (pressed)
      stored && !ImGui::GetIO().KeyCtrl ? look.navigator.go_to_bookmark(i) : look.navigator.store_bookmark(i);
  }
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

void draw_camera_panel(Look& look, NavigationSettings& settings, const Appearance& appearance) {
  if (!section("Camera")) return;
  view_buttons(look, appearance);
  up_buttons(look, appearance);
  movement(look, settings);
  bookmarks(look, appearance);
  look.navigator.set_settings(settings);
}

}  // namespace viewer
