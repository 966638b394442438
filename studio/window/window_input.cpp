// The window's input: GLFW's callbacks as events for the navigator, and the window's own shortcuts.
#include <glad/gl.h>
// GLFW after glad.
#include <GLFW/glfw3.h>
#include <imgui/imgui.h>
#include <imgui/imgui_internal.h>

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "studio/edit/edit_panel.h"
#include "studio/window/dropped.h"
#include "studio/window/panels.h"
#include "studio/window/window_actions.h"
#include "studio/window/window_impl.h"
#include "viewer/shell/input_translation.h"

namespace studio {
namespace {

constexpr double kDoubleClickSeconds = 0.35;
constexpr double kClickPx = 4;  // less movement between press and release is a click

constexpr int kOtherModifiers = GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_SUPER;

bool is_arrow(int key) { return key >= GLFW_KEY_RIGHT && key <= GLFW_KEY_UP; }
bool is_modifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }

// As of the events so far, which Dear ImGui may hear frames later.
bool presses_button(GLFWwindow* window) {
  for (int button = GLFW_MOUSE_BUTTON_1; button <= GLFW_MOUSE_BUTTON_LAST; ++button)
    if (glfwGetMouseButton(window, button) == GLFW_PRESS) return true;
  return false;
}

// A window of panels, and not the scene, has the keyboard.
bool is_in_front(std::string_view title) {
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  return focused && focused->RootWindow->Name == title;
}

// Forces Dear ImGui to process later events in a new frame: it handles one change per key and frame, and this changes
// F24 twice, a key that hardly any keyboard has. Otherwise Ctrl+A within a few milliseconds is seen as A: a modifier
// that is released in a frame counts as up for every key of that frame.
void begin_another_frame() {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiKey_F24, true);
  io.AddKeyEvent(ImGuiKey_F24, false);
}

// Whether a control lies there. What Dear ImGui wants is of the last frame, when the mouse may have been elsewhere:
// where frames are slow, one comes out of a panel and presses within one.
bool over_a_control(double x, double y) {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  if (!context.OpenPopupStack.empty() || context.ActiveId != 0) return context.IO.WantCaptureMouse;
  ImGuiWindow *at = nullptr, *below_a_moved_one = nullptr;
  ImGui::FindHoveredWindowEx({float(x), float(y)}, false, &at, &below_a_moved_one);
  return at != nullptr;
}

}  // namespace

Window::Impl& Window::Impl::of(GLFWwindow* window) { return *static_cast<Impl*>(glfwGetWindowUserPointer(window)); }

// Before ImGui installs its own, which call these.
void Window::Impl::install_callbacks() {
  GLFWwindow* window = window_->handle();
  glfwSetWindowUserPointer(window, this);
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) { of(w).on_cursor(x, y); });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int b, int a, int m) { of(w).on_button(b, a, m); });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) { of(w).on_wheel(x, y); });
  glfwSetKeyCallback(window, [](GLFWwindow* w, int k, int s, int a, int m) { of(w).on_key(k, s, a, m); });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned) { of(w).touched(); });
  glfwSetDropCallback(window, [](GLFWwindow* w, int n, const char** paths) { of(w).on_drop(n, paths); });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) {
    of(w).touched();
    of(w).resized_ = true;
  });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w).touched(); });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int focused) {
    Impl& impl = of(w);
    impl.touched();
    if (focused) return;
    begin_another_frame();  // or a click just before is lost: within one frame the focus lets go of the button
    impl.pace_.drags = 0;
    impl.alt_alone_ = false;  // as by Alt+Tab
    InputEvent lost;
    lost.kind = InputEvent::Kind::kFocusLost;
    impl.work_.look.navigator.handle(lost);
  });
}

InputEvent Window::Impl::mouse_event(InputEvent::Kind kind, Modifiers modifiers) const {
  InputEvent event;
  event.kind = kind;
  event.x = (mouse_x_ - layout_.scene().x) * pixels_per_unit_;
  event.y = (mouse_y_ - layout_.scene().y) * pixels_per_unit_;
  event.modifiers = modifiers;
  return event;
}

namespace {

Modifiers held_modifiers() {
  const ImGuiIO& io = ImGui::GetIO();
  return {io.KeyShift, io.KeyCtrl, io.KeyAlt};
}

}  // namespace

void Window::Impl::on_cursor(double x, double y) {
  touched();
  mouse_x_ = x, mouse_y_ = y;
  work_.edit.key_pointer.hide();
  const InputEvent event = mouse_event(InputEvent::Kind::kMove, held_modifiers());
  if (!edit_by_mouse(event)) work_.look.navigator.handle(event);
}

void Window::Impl::on_button(int glfw_button, int action, int modifiers) {
  touched();
  alt_alone_ = false;
  const auto button = button_of(glfw_button);
  if (!button) return;
  InputEvent event = mouse_event(InputEvent::Kind::kRelease, modifiers_of(modifiers));
  event.button = *button;
  if (action == GLFW_RELEASE) {
    if (pace_.drags > 0) --pace_.drags;
    if (edit_by_mouse(event)) return;
    work_.look.navigator.handle(event);
    const bool clicked = std::hypot(mouse_x_ - press_x_, mouse_y_ - press_y_) < kClickPx;
    if (*button == MouseButton::kLeft && pressed_left_ && clicked)
      if (const int camera = viewport_.camera_at(event.x, event.y); camera >= 0)
        work_.look.navigator.go_to_photo(camera);
    if (*button == MouseButton::kLeft) pressed_left_ = false;
    if (*button == MouseButton::kRight && std::exchange(pressed_right_, false) && clicked) offer_menu(event);
    return;
  }
  if (!layout_.scene().contains(mouse_x_, mouse_y_) || over_a_control(mouse_x_, mouse_y_) ||
      !work_.received.anything_open())
    return;
  ++pace_.drags;
  const double now = glfwGetTime();
  const bool left = *button == MouseButton::kLeft;
  const bool again = left && now - last_press_ < kDoubleClickSeconds &&
                     std::hypot(mouse_x_ - press_x_, mouse_y_ - press_y_) < kClickPx;
  event.kind = again ? InputEvent::Kind::kDoubleClick : InputEvent::Kind::kPress;
  press_x_ = mouse_x_, press_y_ = mouse_y_;
  if (*button == MouseButton::kRight) pressed_right_ = true;
  if (left) last_press_ = again ? -1 : now;
  if (edit_by_mouse(event)) return;
  if (left) pressed_left_ = true;
  work_.look.navigator.handle(event);
}

// It is of the photo whose camera lies there, else of the scene.
void Window::Impl::offer_menu(const InputEvent& event) {
  const int camera = viewport_.camera_at(event.x, event.y);
  ask_menu(work_, camera >= 0 ? photo_clicked(work_, camera) : Clicked());
}

void Window::Impl::on_wheel(double sideways, double notches) {
  touched();
  alt_alone_ = false;
  if (!layout_.scene().contains(mouse_x_, mouse_y_) || over_a_control(mouse_x_, mouse_y_)) return;
  InputEvent event = mouse_event(InputEvent::Kind::kWheel, held_modifiers());
  event.wheel = notches;
  event.sideways = -sideways;  // GLFW's grows to the left
  work_.look.navigator.handle(event);
  work_.settings.navigation = work_.look.navigator.settings();  // the wheel may have changed the speed
}

// To the tool that was chosen; false: it is the camera's.
bool Window::Impl::edit_by_mouse(const InputEvent& event) {
  for (const auto& feature : work_.features)
    if (feature->take_pointer(event, work_.appearance.scale * pixels_per_unit_)) return true;
  return edit_pointer(work_, event, work_.appearance.scale * pixels_per_unit_);
}

// Arrows and Space, for those who have no mouse: what a tool's button does.
bool Window::Impl::point_by_key(int key, bool repeated, Modifiers modifiers) {
  EditMode& edit = work_.edit;
  const Tool& tool = edit.tool();
  if (!work_.edits() || !edit.scene || tool.presses == Presses::kNone || work_.dialogs.show_keys) return false;
  const splat::PinholeCamera camera = work_.look.navigator.view().camera;
  const std::array<double, 2> size{double(camera.width), double(camera.height)};
  const int right = int(key == GLFW_KEY_RIGHT) - int(key == GLFW_KEY_LEFT),
            down = int(key == GLFW_KEY_DOWN) - int(key == GLFW_KEY_UP);
  if (right != 0 || down != 0) {
    ImGui::SetWindowFocus(nullptr);  // else they go through a panel that was clicked last, too
    return edit_by_mouse(edit.key_pointer.move(right, down, modifiers, size)), true;
  }
  if (key != GLFW_KEY_SPACE) return false;
  if (repeated) return true;
  using Kind = InputEvent::Kind;
  const bool drags = tool.presses == Presses::kDrags, ends = drags && tool.drawing();
  if (!ends) edit_by_mouse(edit.key_pointer.press(Kind::kPress, modifiers, size));
  if (ends || !drags) edit_by_mouse(edit.key_pointer.press(Kind::kRelease, modifiers, size));
  return true;
}

bool Window::Impl::shortcut(int key, int scancode, Modifiers modifiers) {
  const bool dialog = work_.dialogs.show_keys || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  const bool escape = key == GLFW_KEY_ESCAPE, enter = key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER;
  const bool preferences = !dialog && work_.dialogs.show_preferences;
  if (preferences && (escape || (enter && is_in_front("Preferences")))) {
    work_.dialogs.show_preferences = enter;
    return true;
  }
  if (!dialog && edit_key(work_, keys_of(key, scancode, {modifiers.shift, modifiers.control, false}))) return true;
  switch (key) {
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
      return work_.dialogs.confirmed = true;
    case GLFW_KEY_ESCAPE:
      work_.dialogs.show_keys = work_.dialogs.show_about = work_.dialogs.show_export = work_.dialogs.picture.asking =
          false;
      if (!dialog) work_.all([](Feature& feature) { feature.escape(); });
      return work_.dialogs.escaped = true;
    case GLFW_KEY_F6:
      return layout_.next_panel = true;
    case GLFW_KEY_F10:
      return layout_.menus_wanted = true;
    case GLFW_KEY_TAB:
      if (!work_.received.anything_open()) return layout_.next_panel = true;  // there is nothing to hide
      break;
    default:
      break;
  }
  if (run_action_with(work_, keys_of(key, scancode, modifiers))) return true;
  if (modifiers.control) return false;
  if (letter_of(key, scancode) == 'G') {
    work_.look.photo_blend = work_.look.photo_blend > 0 ? 0.0f : 1.0f;
    work_.look.changed = true;
    return true;
  }
  return false;
}

void Window::Impl::on_key(int key, int scancode, int action, int modifiers) {
  touched();
  const bool repeated = action == GLFW_REPEAT;
  if (action == GLFW_RELEASE && is_modifier(key)) begin_another_frame();
  // Dear ImGui's own Alt knows the menus of the window alone that the keyboard is in.
  if (std::exchange(alt_alone_, false) && action == GLFW_RELEASE && key == GLFW_KEY_LEFT_ALT)
    layout_.menus_wanted = true;
  const auto known = key_of(key, scancode);
  InputEvent event = mouse_event(InputEvent::Kind::kKeyUp, modifiers_of(modifiers));
  event.key = known.value_or(Key::kCount);
  if (action == GLFW_RELEASE) {
    if (known) work_.look.navigator.handle(event);
    return;
  }
  const bool enter = key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER;
  const ImGuiIO& io = ImGui::GetIO();
  const bool escape = key == GLFW_KEY_ESCAPE, dialog_key = enter || escape || key == GLFW_KEY_F1;
  // A field's own: they end what is typed, and neither answer a dialog nor reach a tool. Escape leaves where the field
  // is all there is.
  const bool leaves = escape && (work_.dialogs.file.shows_browser() || work_.dialogs.show_palette);
  if (io.WantTextInput && (enter || escape) && !leaves) return;
  if (!dialog_key && (io.WantTextInput || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup))) return;
  // Alt also slows a flight and changes what a drag does, and Alt+Shift what the keyboard writes.
  alt_alone_ = key == GLFW_KEY_LEFT_ALT && (modifiers & kOtherModifiers) == 0 && !presses_button(window_->handle()) &&
               !work_.look.navigator.moving();
  // They belong to the widget that the keyboard has come to.
  const bool home = key == GLFW_KEY_HOME;
  if (io.NavVisible && (enter || home || is_arrow(key) || key == GLFW_KEY_TAB || key == GLFW_KEY_SPACE)) return;
  if (home) ImGui::SetWindowFocus(nullptr);  // else it goes to the first control of a panel that was clicked last, too
  if (point_by_key(key, repeated, event.modifiers) || repeated) return;
  if (shortcut(key, scancode, event.modifiers)) return;
  event.kind = InputEvent::Kind::kKeyDown;
  if (known) work_.look.navigator.handle(event);
  work_.settings.navigation = work_.look.navigator.settings();
}

void Window::Impl::on_drop(int count, const char** paths) {
  touched();
  drop(work_, {paths, paths + count});
}

}  // namespace studio
