#include "viewer/camera/motion.h"

#include <cmath>
#include <utility>

namespace viewer {

Vec3 Flight::advance(const Vec3& target, double seconds) {
  const double approach = 1 - std::exp(-seconds / kSeconds);
  const Vec3 missing = target - velocity_;
  const Vec3 way = seconds * target - (kSeconds * approach) * missing;
  velocity_ = velocity_ + approach * missing;
  return way;
}

void WheelZoom::add(double log_factor, double x, double y) {
  x_ = x;
  y_ = y;
  remaining_ += log_factor;
}

double WheelZoom::advance(double seconds) {
  constexpr double kNegligible = 1e-4;
  const double due = remaining_ * (1 - std::exp(-seconds / kSeconds));
  remaining_ -= due;
  if (std::abs(remaining_) > kNegligible) return due;
  return due + std::exchange(remaining_, 0.0);
}

Transition::Transition(const CameraState& from, const CameraState& to, double seconds)
    : from_(from), to_(to), duration_(seconds) {}

CameraState Transition::advance(double seconds) {
  time_ += seconds;
  if (done()) return to_;
  const double x = time_ / duration_, t = x * x * (3 - 2 * x);  // starts and ends at rest
  CameraState now = to_;
  now.world_from_cam = interpolated(from_.world_from_cam, to_.world_from_cam, t);
  now.focus_distance = from_.focus_distance * std::pow(to_.focus_distance / from_.focus_distance, t);
  now.fov_y_deg = from_.fov_y_deg + t * (to_.fov_y_deg - from_.fov_y_deg);
  const Vec3 pivot = from_.pivot() + t * (to_.pivot() - from_.pivot());
  now.position = pivot - now.focus_distance * now.forward();
  return now;
}

}  // namespace viewer
