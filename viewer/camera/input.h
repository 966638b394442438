// Input events as plain values, so that navigation needs no window; the window translates its events into these.
#pragma once

#include <cstdint>

namespace viewer {

enum class MouseButton : uint8_t { kLeft, kMiddle, kRight };

struct Modifiers {
  bool shift = false, control = false, alt = false;
  friend bool operator==(const Modifiers&, const Modifiers&) = default;
};

// The first six are places on the keyboard (W S A D Q E of a US layout, wherever the layout puts these letters); the
// others are the keys' labels.
enum class Key : uint8_t {
  kForward,
  kBack,
  kLeft,
  kRight,
  kDown,
  kUp,
  kF,
  kH,
  kC,
  kV,
  kL,
  kHome,
  kBracketLeft,
  kBracketRight,
  kPlus,
  kMinus,
  k1,
  k2,
  k3,
  k4,
  k5,
  k6,
  k7,
  k8,
  k9,
  kNumpad1,
  kNumpad2,
  kNumpad3,
  kNumpad4,
  kNumpad5,
  kNumpad6,
  kNumpad7,
  kNumpad8,
  kNumpad9,
  kNumpadDecimal,
  kShift,
  kAlt,  // as held keys: fast and slow flight
  kCount,
};

struct InputEvent {
  enum class Kind : uint8_t { kMove, kPress, kRelease, kDoubleClick, kWheel, kKeyDown, kKeyUp, kFocusLost };

  Kind kind = Kind::kMove;
  double x = 0, y = 0;  // px from the viewport's left top; of the mouse, with every kind but keys
  MouseButton button = MouseButton::kLeft;
  double wheel = 0;     // notches, away from the user positive
  double sideways = 0;  // notches of a touchpad or a tilted wheel, to the right positive
  Key key = Key::kCount;
  Modifiers modifiers;
};

}  // namespace viewer
