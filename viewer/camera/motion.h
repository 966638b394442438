// Motions over time, each exact for any division of the time into steps.
#pragma once

#include "viewer/camera/camera_state.h"

namespace viewer {

// Velocity that approaches its target: v' = (target - v) / kSeconds.
class Flight {
 public:
  static constexpr double kSeconds = 0.08;  // until 63 % of a new velocity is reached

  Vec3 advance(const Vec3& target, double seconds);  // the distance moved; target in world units a second
  void stop() { velocity_ = {0, 0, 0}; }
  double speed() const { return length(velocity_); }  // world units a second

 private:
  Vec3 velocity_{0, 0, 0};
};

// Wheel notches, spread over a moment: ln of the factor of the distance to the point under the cursor.
class WheelZoom {
 public:
  static constexpr double kSeconds = 0.05;

  void add(double log_factor, double x, double y);  // x, y: px of the cursor
  double advance(double seconds);                   // the part that is due
  void stop() { remaining_ = 0; }
  bool moving() const { return remaining_ != 0; }
  double x() const { return x_; }
  double y() const { return y_; }

 private:
  double remaining_ = 0, x_ = 0, y_ = 0;
};

// A smooth transition from one state to another: the pivot moves straight, the distance changes geometrically, the view
// turns the short way.
class Transition {
 public:
  Transition(const CameraState& from, const CameraState& to, double seconds);
  CameraState advance(double seconds);
  bool done() const { return time_ >= duration_; }
  const CameraState& target() const { return to_; }

 private:
  CameraState from_, to_;
  double duration_, time_ = 0;
};

}  // namespace viewer
