// A pointer over the scene that keys move, for tools that take clicks and drags: arrows move it, Space presses and lets
// go as the left button does.
#pragma once

#include <array>
#include <optional>

#include "studio/names.h"
#include "viewer/camera/input.h"

namespace studio {

class KeyPointer {
 public:
  static constexpr double kStepPx = 12, kFineStepPx = 1;

  // px of the scene's picture; none: the mouse is used.
  const std::optional<std::array<double, 2>>& at() const { return at_; }
  void hide() { at_.reset(); }
  // By steps to the right and down, within a picture of this size; from its middle where it was not shown.
  InputEvent move(int right, int down, Modifiers modifiers, std::array<double, 2> size);  // Alt: fine
  InputEvent press(InputEvent::Kind kind, Modifiers modifiers, std::array<double, 2> size);

 private:
  InputEvent event(InputEvent::Kind kind, Modifiers modifiers, std::array<double, 2> size);

  std::optional<std::array<double, 2>> at_;
};

}  // namespace studio
