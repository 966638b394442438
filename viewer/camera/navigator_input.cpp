// What input does: drags, wheel and keys.
#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/camera/camera_moves.h"
#include "viewer/camera/navigator.h"

namespace viewer {

using splat::math::cross;

namespace {

constexpr double kWheelStep = 0.15;  // ln of the distance, a notch
constexpr double kSpeedStep = 1.25;  // factor of the flight's speed, a notch
constexpr double kDragDolly = 4;     // ln of the distance, a drag over the viewport's height
constexpr double kNumpadTurnDeg = 15;
constexpr double kSwipePx = 20;  // a notch of two fingers on a touchpad, as a drag

bool is_flight_key(Key key) { return key <= Key::kUp; }

Drag left_button_drag(NavigationProfile profile, NavigationMode mode, Modifiers modifiers) {
  if (modifiers.alt) return Drag::kOrbit;
  if (profile == NavigationProfile::kUnreal) return Drag::kLook;
  if (modifiers.shift) return Drag::kPan;
  if (modifiers.control) return Drag::kDolly;
  return mode == NavigationMode::kFly ? Drag::kLook : Drag::kOrbit;
}

}  // namespace

Drag drag_of(NavigationProfile profile, NavigationMode mode, MouseButton button, Modifiers modifiers) {
  switch (button) {
    case MouseButton::kLeft:
      return left_button_drag(profile, mode, modifiers);
    case MouseButton::kMiddle:
      if (modifiers.control) return Drag::kDolly;
      return profile == NavigationProfile::kBlender && !modifiers.shift ? Drag::kOrbit : Drag::kPan;
    case MouseButton::kRight:
      return profile == NavigationProfile::kUnreal && modifiers.alt ? Drag::kDolly : Drag::kLook;
  }
  return Drag::kNone;
}

void Navigator::handle(const InputEvent& event) {
  using Kind = InputEvent::Kind;
  switch (event.kind) {
    case Kind::kMove: {
      const double dx = event.x - mouse_x_, dy = event.y - mouse_y_;
      mouse_x_ = event.x;
      mouse_y_ = event.y;
      if (drag_ != Drag::kNone && (dx != 0 || dy != 0)) drag(dx, dy);
      break;
    }
    case Kind::kPress:
      press(event);
      break;
    case Kind::kRelease:
      if (event.button == drag_button_) drag_ = Drag::kNone;
      break;
    case Kind::kDoubleClick:
      if (event.button == MouseButton::kLeft) pick_ = PickRequest{event.x, event.y};
      break;
    case Kind::kWheel:
      wheel(event);
      break;
    case Kind::kKeyDown:
      key_down(event);
      break;
    case Kind::kKeyUp:
      if (event.key < Key::kCount) held_[size_t(event.key)] = false;
      break;
    case Kind::kFocusLost:
      release_all();
      break;
  }
}

void Navigator::press(const InputEvent& event) {
  mouse_x_ = event.x;
  mouse_y_ = event.y;
  if (drag_ != Drag::kNone) return;
  drag_ = drag_of(settings_.profile, mode_of_drags(), event.button, event.modifiers);
  drag_button_ = event.button;
}

void Navigator::drag(double dx_px, double dy_px) {
  user_moves();
  const double turn = kPi * settings_.sensitivity / height_;  // radians a px
  const double yaw = -turn * dx_px, pitch = (settings_.invert_y ? turn : -turn) * dy_px;
  if (drag_ == Drag::kOrbit || drag_ == Drag::kLook) levelling_ = true;
  if (drag_ == Drag::kOrbit) orbit(camera_, up_, yaw, pitch);
  if (drag_ == Drag::kLook) look(yaw, pitch);
  if (drag_ == Drag::kPan) pan(camera_, height_, dx_px, dy_px);
  if (drag_ == Drag::kDolly) dolly(kDragDolly * dy_px / height_, width_ / 2.0, height_ / 2.0);
}

bool Navigator::flight_keys() const {
  return std::any_of(held_.begin(), held_.begin() + size_t(Key::kUp) + 1, [](bool down) { return down; });
}

NavigationMode Navigator::mode_of_drags() const { return flight_keys() ? NavigationMode::kFly : mode_; }

void Navigator::wheel(const InputEvent& event) {
  if (drag_ == Drag::kLook) {
    settings_.speed = std::clamp(settings_.speed * std::pow(kSpeedStep, event.wheel), 0.01, 100.0);
    return;
  }
  user_moves();
  if (settings_.touchpad == TouchpadUse::kZoom || event.modifiers.control)
    return zoom_.add(-kWheelStep * event.wheel, event.x, event.y);
  const double dx = kSwipePx * event.sideways, dy = kSwipePx * event.wheel;  // as the fingers go
  if (event.modifiers.shift) return pan(camera_, height_, dx, dy);
  const double turn = kPi * settings_.sensitivity / height_;
  levelling_ = true;
  mode_ == NavigationMode::kFly ? look(-turn * dx, -turn * dy) : orbit(camera_, up_, -turn * dx, -turn * dy);
}

void Navigator::key_down(const InputEvent& event) {
  if (event.key >= Key::kCount) return;
  if (is_flight_key(event.key)) {
    if (event.modifiers.control) return;  // Ctrl+S and the like belong to the window
    held_[size_t(event.key)] = true;
    if (drag_ == Drag::kOrbit) drag_ = Drag::kLook;
    return;
  }
  held_[size_t(event.key)] = true;
  if (event.key >= Key::k1 && event.key <= Key::k9) {
    const int index = int(event.key) - int(Key::k1);
    event.modifiers.control ? store_bookmark(index) : go_to_bookmark(index);
  } else if (event.key >= Key::kNumpad1 && event.key <= Key::kNumpadDecimal) {
    numpad(event);
  } else if (!event.modifiers.control) {
    shortcut(event);
  }
}

void Navigator::shortcut(const InputEvent& event) {
  switch (event.key) {
    case Key::kF:
      return frame_scene();
    case Key::kHome:
      return frame_all();
    case Key::kH:
      return go_home();
    case Key::kC:
      return go_to_nearest_photo();
    case Key::kV:
      return set_mode(mode_ == NavigationMode::kOrbit ? NavigationMode::kFly : NavigationMode::kOrbit);
    case Key::kL:
      return level();
    case Key::kBracketLeft:
      return step_photo(-1);
    case Key::kBracketRight:
      return step_photo(+1);
    case Key::kPlus:
    case Key::kMinus: {
      const double factor = event.key == Key::kPlus ? kSpeedStep : 1 / kSpeedStep;
      settings_.speed = std::clamp(settings_.speed * factor, 0.01, 100.0);
      return;
    }
    default:
      return;
  }
}

void Navigator::numpad(const InputEvent& event) {
  const double sign = event.modifiers.control ? -1 : 1;
  const auto turn = [&](double yaw_deg, double pitch_deg) {
    CameraState target = transition_ ? transition_->target() : camera_;
    orbit(target, up_, radians(yaw_deg), radians(pitch_deg));
    go_to(target);
  };
  switch (event.key) {
    case Key::kNumpad1:
      return look_along(sign * front(up_));
    case Key::kNumpad3:
      return look_along(-sign * cross(front(up_), up_));
    case Key::kNumpad7:
      return look_along(-sign * up_);
    case Key::kNumpad9:
      return turn(180, 0);
    case Key::kNumpad4:
      return turn(-kNumpadTurnDeg, 0);
    case Key::kNumpad6:
      return turn(kNumpadTurnDeg, 0);
    case Key::kNumpad8:
      return turn(0, -kNumpadTurnDeg);
    case Key::kNumpad2:
      return turn(0, kNumpadTurnDeg);
    case Key::kNumpad5:
      return toggle_orthographic();
    case Key::kNumpadDecimal:
      return frame_scene();
    default:
      return;
  }
}

void Navigator::release_all() {
  held_.fill(false);
  drag_ = Drag::kNone;
  flight_.stop();
  zoom_.stop();
}

std::optional<PickRequest> Navigator::take_pick() { return std::exchange(pick_, std::nullopt); }

}  // namespace viewer
