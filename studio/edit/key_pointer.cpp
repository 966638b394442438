#include "studio/edit/key_pointer.h"

#include <algorithm>

namespace studio {

InputEvent KeyPointer::event(InputEvent::Kind kind, Modifiers modifiers, std::array<double, 2> size) {
  if (!at_) at_ = {size[0] / 2, size[1] / 2};
  for (size_t i = 0; i < 2; ++i) (*at_)[i] = std::clamp((*at_)[i], 0.0, std::max(size[i] - 1, 0.0));
  InputEvent made;
  made.kind = kind;
  made.x = (*at_)[0], made.y = (*at_)[1];
  made.modifiers = modifiers;
  return made;
}

InputEvent KeyPointer::move(int right, int down, Modifiers modifiers, std::array<double, 2> size) {
  const double step = modifiers.alt ? kFineStepPx : kStepPx;
  event(InputEvent::Kind::kMove, modifiers, size);
  (*at_)[0] += step * right, (*at_)[1] += step * down;
  return event(InputEvent::Kind::kMove, modifiers, size);
}

InputEvent KeyPointer::press(InputEvent::Kind kind, Modifiers modifiers, std::array<double, 2> size) {
  modifiers.alt = false;  // which is the camera's with the left button
  return event(kind, modifiers, size);
}

}  // namespace studio
