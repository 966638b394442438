#include "viewer/shell/gamepad.h"

#include <glad/gl.h>
// GLFW after glad.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <iterator>

namespace viewer {
namespace {

bool read_first(GLFWgamepadstate& state) {
  for (int joystick = GLFW_JOYSTICK_1; joystick <= GLFW_JOYSTICK_LAST; ++joystick)
    if (glfwJoystickIsGamepad(joystick) && glfwGetGamepadState(joystick, &state)) return true;
  return false;
}

struct ButtonKey {
  int button;
  Key key;
};
constexpr ButtonKey kButtons[] = {{GLFW_GAMEPAD_BUTTON_A, Key::kF},
                                  {GLFW_GAMEPAD_BUTTON_B, Key::kH},
                                  {GLFW_GAMEPAD_BUTTON_LEFT_BUMPER, Key::kMinus},
                                  {GLFW_GAMEPAD_BUTTON_RIGHT_BUMPER, Key::kPlus}};

}  // namespace

bool Gamepad::update(Look& look, bool heeded) {
  GLFWgamepadstate state{};
  there_ = read_first(state);
  Sticks now;
  bool pressed = false;
  if (there_ && heeded) {
    std::array<float, 6> axes{};
    std::copy(std::begin(state.axes), std::end(state.axes), axes.begin());
    now = sticks_of(axes);
    for (size_t i = 0; i < std::size(kButtons); ++i) {
      const bool down = state.buttons[kButtons[i].button] == GLFW_PRESS;
      if (down != down_[i]) {
        InputEvent event;
        event.kind = down ? InputEvent::Kind::kKeyDown : InputEvent::Kind::kKeyUp;
        event.key = kButtons[i].key;
        look.navigator.handle(event);
        pressed = true;
      }
      down_[i] = down;
    }
  }
  if (now != held_ || now.any()) look.navigator.set_sticks(now);
  held_ = now;
  return pressed || now.any();
}

}  // namespace viewer
