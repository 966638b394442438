// The first gamepad that GLFW knows, as it steers the camera: left stick flies, right stick looks, triggers go down and
// up, A frames the scene, B goes to the start view, the shoulders change the speed.
#pragma once

#include <array>

#include "viewer/look.h"

namespace viewer {

class Gamepad {
 public:
  // Once a frame. heeded: this window is to follow it. True: somebody moves it.
  bool update(Look& look, bool heeded);
  bool there() const { return there_; }

 private:
  bool there_ = false;
  Sticks held_;
  std::array<bool, 4> down_{};
};

}  // namespace viewer
