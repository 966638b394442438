// Turns input events into camera movement. The camera is one CameraState; orbit and fly are two ways to change it, and
// changing the mode changes nothing else. Motion over time (flight, the wheel, transitions) is exact for any time step:
// two updates of 10 ms end where one of 20 ms does.
//
//   for each event:  navigator.handle(event);      per frame:  navigator.update(seconds);
//   draw navigator.view();   answer navigator.take_pick() with a point: navigator.focus_on(point)
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "viewer/camera/camera_state.h"
#include "viewer/camera/input.h"
#include "viewer/camera/motion.h"

namespace viewer {

// What a drag with the left button does. While flight keys are held it looks around in both.
enum class NavigationMode : uint8_t { kOrbit, kFly };
enum class NavigationProfile : uint8_t { kDefault, kBlender, kUnreal };  // which button does what (drag_of())

// What a drag does, by profile, button and modifiers.
enum class Drag : uint8_t { kNone, kOrbit, kLook, kPan, kDolly };
Drag drag_of(NavigationProfile profile, NavigationMode mode, MouseButton button, Modifiers modifiers);

// What moving two fingers on a touchpad does; a pinch reaches the window only as Ctrl with such a movement.
enum class TouchpadUse : uint8_t { kZoom, kOrbit };  // kOrbit: Shift pans, Ctrl zooms

struct NavigationSettings {
  NavigationProfile profile = NavigationProfile::kDefault;
  TouchpadUse touchpad = TouchpadUse::kZoom;
  double speed = 1;        // of flight: factor of flight_speed(), 0.01..100
  double sensitivity = 1;  // of orbit and look; 1: half a turn across the viewport's height
  bool invert_y = false;
  double fov_y_deg = 50;  // 5..140

  friend bool operator==(const NavigationSettings&, const NavigationSettings&) = default;
};

struct PhotoCamera {
  std::string name;
  splat::View view;
  bool held_out = false;
  bool left_out = false;  // of the run that made the splats: neither trained on nor held out
};

struct PickRequest {
  double x = 0, y = 0;  // px
};

class Navigator {
 public:
  void set_viewport(int width, int height);  // px
  void set_settings(const NavigationSettings& settings);
  const NavigationSettings& settings() const { return settings_; }

  // Bounds of the scene, for step sizes and limits, and of the part of it that F and Home frame; empty: all of it. Does
  // not move the camera.
  void set_scene(const Bounds& scene, const Bounds& framed = {});
  void set_photo_cameras(std::vector<PhotoCamera> cameras);
  // The target of H: a state or a photo's camera; without either, frame_scene().
  void set_home(const CameraState& home) { home_ = home, home_photo_ = -1, home_frames_ = false; }
  void set_home_here();  // where the scene was framed: as it is framed in a viewport of another size, too
  bool at_home() const { return home_ && same_camera(camera_, *home_); }
  void set_home_photo(int index) { home_photo_ = index, home_frames_ = false; }

  void handle(const InputEvent& event);
  void update(double seconds);  // since the last update
  bool moving() const;          // a drag, flight or transition is in progress: draw again soon

  const CameraState& camera() const { return camera_; }
  void set_camera(const CameraState& state);                  // at once; ends any motion
  splat::View view() const { return view(width_, height_); }  // exactly the photo's (fitted) while at a photo camera
  splat::View view(int width, int height) const;              // the same for a picture of another size, px
  Vec3 up() const { return up_; }
  void set_up(const Vec3& up, bool animate = true);  // unit; levels the camera by it

  NavigationMode mode() const { return mode_; }
  void set_mode(NavigationMode mode) { mode_ = mode; }  // the camera stays exactly where it is

  // Transitions of kTransitionSeconds; any drag or flight ends them.
  void frame(const Bounds& bounds);  // from the present direction
  void frame_scene();                // F, numpad .
  void frame_all();                  // Home: scene and photo cameras
  void go_home();                    // H
  void go_to(const CameraState& state);
  void go_to_photo(int index);
  void step_photo(int step);             // ] +1, [ -1, around the end
  void go_to_nearest_photo();            // C
  void focus_on(const Vec3& point);      // for a picked point: centres it at its depth and orbits it
  void focus_on_scene();                 // where nothing was picked: orbits a point as far away as the scene's middle
  void look_along(const Vec3& forward);  // numpad views; unit
  void toggle_orthographic();
  void level();  // removes the roll

  std::optional<int> photo() const { return photo_; }  // the photo camera the view is exactly at
  std::optional<PickRequest> take_pick();              // a double click whose point is to be found

  static constexpr int kBookmarks = 9;
  using Bookmarks = std::array<std::optional<CameraState>, kBookmarks>;
  const Bookmarks& bookmarks() const { return bookmarks_; }
  void store_bookmark(int index);  // 0..8
  void go_to_bookmark(int index);
  void forget_bookmark(int index) { bookmarks_[size_t(index)].reset(); }
  void set_bookmarks(const Bookmarks& bookmarks) { bookmarks_ = bookmarks; }

  double scene_radius() const { return radius_; }
  // World units a second, modifiers not counted: at setting 1 half the scene's radius, or of the distance to the pivot
  // or the scene, whichever is larger; near a pivot in the scene less, down to a tenth. A flight keeps the one it began
  // with, so that it does not depend on the time step.
  double flight_speed() const;

  static constexpr double kTransitionSeconds = 0.4;

 private:
  bool held(Key key) const { return held_[size_t(key)]; }
  bool flying() const;
  void key_down(const InputEvent& event);
  void shortcut(const InputEvent& event);
  void numpad(const InputEvent& event);
  void press(const InputEvent& event);
  void drag(double dx_px, double dy_px);
  void wheel(const InputEvent& event);
  void release_all();

  void frame_seen(const Bounds& bounds);
  void look(double yaw, double pitch);
  void dolly(double log_factor, double x, double y);
  Vec3 flight_target() const;  // world units a second
  double speed_here() const;
  bool flight_keys() const;  // one is held
  NavigationMode mode_of_drags() const;

  void level_by(double fraction);
  void user_moves();  // ends a transition, leaves the photo
  void arrive();

  int width_ = 1280, height_ = 720;
  NavigationSettings settings_;
  CameraState camera_;
  Vec3 up_{0, -1, 0};
  Bounds scene_, framed_;
  double radius_ = 1;
  std::optional<CameraState> home_;
  bool home_frames_ = false;  // the scene
  std::vector<PhotoCamera> photos_;
  std::optional<int> photo_;
  int last_photo_ = -1, home_photo_ = -1;
  NavigationMode mode_ = NavigationMode::kOrbit;

  std::array<bool, size_t(Key::kCount)> held_{};
  Drag drag_ = Drag::kNone;
  MouseButton drag_button_ = MouseButton::kLeft;
  double mouse_x_ = 0, mouse_y_ = 0;  // px
  bool levelling_ = false;
  Flight flight_;
  std::optional<double> flight_began_with_;  // the speed; none: no flight
  WheelZoom zoom_;
  std::optional<Transition> transition_;
  int arriving_at_ = -1;  // the photo camera the transition goes to
  std::optional<PickRequest> pick_;
  Bookmarks bookmarks_;
};

}  // namespace viewer
