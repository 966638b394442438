#include "splat/path/camera_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "splat/math/quat_curve.h"
#include "splat/math/spline.h"
#include "splat/model/transform.h"
#include "splat/path/vectors.h"

namespace splat {

using math::Quat;
using math::Vec3;

namespace {

constexpr size_t kMostSteps = 1024, kLeastSteps = 8;  // of a segment, where its length is measured ...
constexpr size_t kAllSteps = size_t(1) << 22;         // ... and of all of them together
constexpr double kRampSeconds = 1;                    // how long a camera takes to gain its speed ...
constexpr double kLongestRamp = 1. / 3;               // ... but at most this part of the way

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

bool finite(const CameraPose& pose) {
  const auto& [p, q, fov, stretch, shift] = pose;
  return std::isfinite(p[0] + p[1] + p[2]) && std::isfinite(q.w + q.x + q.y + q.z) && std::isfinite(fov) &&
         std::isfinite(stretch + shift[0] + shift[1]);
}

// The part of the way after the part x of the time, at constant speed but for ramps at the start and at the end.
double ramped(double x, double in, double out) {
  const double speed = 1 / (1 - in / 2 - out / 2);
  if (x < in) return speed * x * x / (2 * in);
  if (x > 1 - out) return 1 - speed * (1 - x) * (1 - x) / (2 * out);
  return speed * (x - in / 2);
}

// Derivatives at knots, from the mean slopes between them.
template <class V, class Tangent>
std::vector<V> tangents_of(const std::vector<V>& slopes, const std::vector<double>& steps, bool closed,
                           Tangent&& tangent) {
  std::vector<V> at{slopes.front()};
  for (size_t i = 1; i < slopes.size(); ++i) at.push_back(tangent(slopes[i - 1], slopes[i], steps[i - 1], steps[i]));
  at.push_back(slopes.back());
  if (closed) at.front() = at.back() = tangent(slopes.back(), slopes.front(), steps.back(), steps.front());
  return at;
}

}  // namespace

std::string_view name_of(LoopMode mode) {
  return mode == LoopMode::kLoop ? "loop" : mode == LoopMode::kPingPong ? "ping-pong" : "none";
}

View view_of(const CameraPose& pose, int width, int height) {
  const double focal = height / (2 * std::tan(radians(pose.fov_y_deg) / 2));
  View view;
  view.camera = {width,
                 height,
                 float(pose.stretch * focal),
                 float(focal),
                 float(width / 2. + pose.shift[0] * height),
                 float(height / 2. + pose.shift[1] * height)};
  const math::Mat3<double> rotation = math::rotation_from_quat(pose.world_from_cam);
  const Vec3<double> centre = math::transposed_times(rotation, vec(pose.position));
  for (size_t i = 0; i < 9; ++i) view.cam_from_world.rotation[i] = rotation.m[i % 3][i / 3];
  view.cam_from_world.translation = {-centre.x, -centre.y, -centre.z};
  return view;
}

CameraPose pose_of(const View& view) {
  const auto& r = view.cam_from_world.rotation;
  const PinholeCamera& camera = view.camera;
  return {view.cam_from_world.origin_in_source(),
          quat_from_rotation({r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]}),
          2 * std::atan(camera.height / (2.0 * double(camera.fy))) * 180 / std::numbers::pi,
          double(camera.fx) / double(camera.fy),
          {(double(camera.cx) - camera.width / 2.) / camera.height,
           (double(camera.cy) - camera.height / 2.) / camera.height}};
}

Status check_path(const CameraPath& path) {
  if (path.keys.empty()) return Error{"it has no keys"};
  if (path.keys.size() > kMostKeys) return Error{"it has more than " + std::to_string(kMostKeys) + " keys"};
  for (size_t i = 0; i < path.keys.size(); ++i) {
    const PathKey& key = path.keys[i];
    const std::string where = "key " + std::to_string(i + 1) + ": ";
    if (!finite(key.pose) || !std::isfinite(key.seconds)) return Error{where + "a number is not finite"};
    if (!(key.pose.fov_y_deg >= kLeastFov && key.pose.fov_y_deg <= kMostFov))
      return Error{where + "the field of view is not from 0.1 to 179 degrees"};
    const auto& [across, down] = key.pose.shift;
    if (!(key.pose.stretch >= 1 / kMostStretch && key.pose.stretch <= kMostStretch))
      return Error{where + "the focal lengths are too different"};
    if (!(std::abs(across) <= kMostShift && std::abs(down) <= kMostShift))
      return Error{where + "the principal point is too far from the picture"};
    if (std::abs(math::dot(key.pose.world_from_cam, key.pose.world_from_cam) - 1) > 1e-6)
      return Error{where + "the rotation is no quaternion of length 1"};
    if (!(key.hold >= 0 && key.hold <= kMostSeconds))
      return Error{where + "it is held for less than no time, or a day"};
    if (i > 0 && !(key.seconds - path.keys[i - 1].seconds - path.keys[i - 1].hold >= kLeastStep))
      return Error{where + "its time is not after that of the key before, and that key's hold"};
  }
  if (!(path.keys.back().seconds - path.keys.front().seconds <= kMostSeconds)) return Error{"it is longer than a day"};
  if (!(path.closing_seconds == 0 || (path.closing_seconds >= kLeastStep && path.closing_seconds <= kMostSeconds)))
    return Error{"the time from the last key to the first is negative, or longer than a day"};
  if (path.target && !std::isfinite((*path.target)[0] + (*path.target)[1] + (*path.target)[2]))
    return Error{"its target is not finite"};
  if (path.dolly_zoom && !path.target) return Error{"a dolly zoom needs a target"};
  return {};
}

PathCurve::PathCurve(const CameraPath& path) : loop_(path.loop) {
  SPLAT_CHECK(check_path(path).ok());
  place_keys(path);
  if (keys_.size() > 1) {
    make_tangents(path.loop == LoopMode::kLoop, path.constant_speed);
    if (path.constant_speed) measure();
  }
  add_pieces(path);
  const CameraPose& first = keys_.front().pose;
  if (!path.dolly_zoom) return;
  target_ = vec(*path.target);
  target_size_ = length(vec(first.position) - *target_) * std::tan(radians(first.fov_y_deg) / 2);
}

void PathCurve::place_keys(const CameraPath& path) {
  keys_ = path.keys;
  if (loop_ == LoopMode::kLoop && keys_.size() > 1) {
    double closing = path.closing_seconds, moving = keys_.back().seconds - keys_.front().seconds;
    for (size_t i = 0; i + 1 < keys_.size(); ++i) moving -= keys_[i].hold;
    if (closing == 0) closing = moving / double(keys_.size() - 1);
    PathKey again = keys_.front();
    again.seconds = keys_.back().seconds + keys_.back().hold + closing;
    again.hold = 0;
    again.ease |= keys_.front().hold > 0;
    keys_.push_back(again);
  }
  for (size_t i = 0; i < keys_.size(); ++i) {
    Quat<double>& q = keys_[i].pose.world_from_cam;
    q = math::normalised(q);
    if (i > 0 && math::dot(keys_[i - 1].pose.world_from_cam, q) < 0) q = {-q.w, -q.x, -q.y, -q.z};
    u_.push_back(i == 0 ? 0 : u_[i - 1] + keys_[i].seconds - keys_[i - 1].seconds - keys_[i - 1].hold);
    log_fov_.push_back(std::log(keys_[i].pose.fov_y_deg));
  }
}

void PathCurve::make_tangents(bool closed, bool constant_speed) {
  std::vector<double> steps, chords, c_slopes, fov_slopes;
  std::vector<Vec3<double>> slopes, turns;
  c_ = {0};
  for (size_t i = 0; i + 1 < keys_.size(); ++i) {
    const CameraPose &a = keys_[i].pose, &b = keys_[i + 1].pose;
    const Vec3<double> way = vec(b.position) - vec(a.position);
    steps.push_back(u_[i + 1] - u_[i]);
    chords.push_back(std::sqrt(length(way)));
    c_.push_back(c_.back() + chords.back());
    slopes.push_back(chords.back() > 0 ? (1 / chords.back()) * way : way);
    c_slopes.push_back(chords.back() / steps.back());
    turns.push_back((1 / steps.back()) * math::quat_log(math::conjugate(a.world_from_cam) * b.world_from_cam));
    fov_slopes.push_back((log_fov_[i + 1] - log_fov_[i]) / steps.back());
  }
  tangent_ = tangents_of(slopes, chords, closed, math::knot_tangent<Vec3<double>>);
  turn_ = tangents_of(turns, steps, closed, math::knot_tangent<Vec3<double>>);
  // At rest beside a turn on the spot; by length it is the lengths that come to rest, and the curve need not.
  const auto c_tangent = [&](double a, double b, double h_a, double h_b) {
    if (constant_speed && !(a > 0 && b > 0)) return std::max(a, b);
    return math::monotone_tangent(a, b, h_a, h_b);
  };
  c_slope_ = tangents_of(c_slopes, steps, closed, c_tangent);
  fov_slope_ = tangents_of(fov_slopes, steps, closed, math::monotone_tangent);
}

Vec3<double> PathCurve::position_at(size_t i, double part) const {
  return math::hermite(vec(keys_[i].pose.position), vec(keys_[i + 1].pose.position), tangent_[i], tangent_[i + 1],
                       c_[i + 1] - c_[i], part);
}

void PathCurve::measure() {
  steps_ = std::clamp(kAllSteps / (keys_.size() - 1), kLeastSteps, kMostSteps);
  lengths_ = {0};
  Vec3<double> before = vec(keys_.front().pose.position);
  for (size_t i = 0; i + 1 < keys_.size(); ++i)
    for (size_t step = 1; step <= steps_; ++step) {
      const Vec3<double> now = position_at(i, double(step) / double(steps_));
      lengths_.push_back(lengths_.back() + length(now - before));
      before = now;
    }
}

void PathCurve::add_piece(Piece piece, double seconds) {
  piece.from = pieces_.empty() ? 0 : pieces_.back().to;
  piece.to = piece.from + seconds;
  pieces_.push_back(piece);
}

void PathCurve::add_hold(double hold, double u) {
  if (hold > 0) add_piece({0, 0, u, u, true, true, false}, hold);
}

// Time in pieces: between two keys, or with constant speed between two rests.
void PathCurve::add_pieces(const CameraPath& path) {
  const size_t segments = keys_.size() - 1;
  const bool by_length = path.constant_speed && segments > 0 && lengths_.back() > 0;
  std::vector<bool> rests;
  std::vector<bool> still(segments, false);
  double moving = 0;  // s
  for (size_t i = 0; i < segments; ++i) {
    still[i] = by_length && lengths_[(i + 1) * steps_] - lengths_[i * steps_] <= 1e-9 * lengths_.back();
    if (!still[i]) moving += u_[i + 1] - u_[i];
  }
  for (size_t i = 0; i <= segments; ++i) {
    const bool end = i == 0 || i == segments;
    rests.push_back(keys_[i].ease || keys_[i].hold > 0 || (end && loop_ == LoopMode::kPingPong) ||
                    (i > 0 && still[i - 1]) || (i < segments && still[i]));
  }
  if (loop_ == LoopMode::kLoop) rests.front() = rests.back() = rests.front() || rests.back();
  add_hold(keys_[0].hold, 0);
  for (size_t i = 0; i < segments;) {
    size_t end = i + 1;
    while (by_length && !rests[end] && end < segments) ++end;
    Piece piece{0, 0, u_[i], u_[end], rests[i], rests[end], by_length && !still[i]};
    const double share = piece.by_length ? (length_at(u_[end]) - length_at(u_[i])) / lengths_.back() : 0;
    add_piece(piece, piece.by_length ? share * moving : u_[end] - u_[i]);
    i = end;
    add_hold(keys_[i].hold, u_[i]);
  }
}

double PathCurve::length_at(double u) const {
  const size_t key = std::min<size_t>(size_t(std::upper_bound(u_.begin(), u_.end(), u) - u_.begin()), u_.size()) - 1;
  return lengths_[key * steps_];
}

double PathCurve::u_at_length(double asked) const {
  const auto above = std::upper_bound(lengths_.begin() + 1, lengths_.end() - 1, asked);
  const size_t step = size_t(above - lengths_.begin()) - 1, key = step / steps_;
  const double span = lengths_[step + 1] - lengths_[step];
  const double in_step = span > 0 ? std::clamp((asked - lengths_[step]) / span, 0.0, 1.0) : 0;
  const double chord = c_[key + 1] - c_[key], c = chord * (double(step % steps_) + in_step) / double(steps_);
  const double seconds = u_[key + 1] - u_[key];
  double low = 0, high = 1;  // the chord parameter grows with u
  for (int i = 0; i < 52; ++i) {
    const double middle = 0.5 * (low + high);
    (math::hermite(0.0, chord, c_slope_[key], c_slope_[key + 1], seconds, middle) < c ? low : high) = middle;
  }
  return u_[key] + seconds * high;
}

double PathCurve::u_at(double seconds) const {
  if (pieces_.empty()) return 0;
  const auto it =
      std::partition_point(pieces_.begin(), pieces_.end() - 1, [&](const Piece& p) { return p.to <= seconds; });
  const Piece& piece = *it;
  const double span = piece.to - piece.from, x = span > 0 ? std::clamp((seconds - piece.from) / span, 0.0, 1.0) : 0;
  if (!piece.by_length)
    return math::hermite(piece.u_from, piece.u_to, piece.rest_from ? 0. : 1., piece.rest_to ? 0. : 1., span, x);
  const double ramp = std::min(kRampSeconds / span, kLongestRamp);
  const double part = ramped(x, piece.rest_from ? ramp : 0, piece.rest_to ? ramp : 0);
  const double from = length_at(piece.u_from), to = length_at(piece.u_to);
  return std::clamp(u_at_length(from + part * (to - from)), piece.u_from, piece.u_to);
}

CameraPose PathCurve::pose_at(double u) const {
  if (keys_.size() == 1) return keys_[0].pose;
  const size_t i =
      std::clamp<size_t>(size_t(std::upper_bound(u_.begin(), u_.end(), u) - u_.begin()), 1, u_.size() - 1) - 1;
  const CameraPose &a = keys_[i].pose, &b = keys_[i + 1].pose;
  const double step = u_[i + 1] - u_[i], x = std::clamp((u - u_[i]) / step, 0.0, 1.0);
  const double chord = c_[i + 1] - c_[i];
  const double c = math::hermite(0.0, chord, c_slope_[i], c_slope_[i + 1], step, x);
  const Vec3<double> p =
      math::hermite(vec(a.position), vec(b.position), tangent_[i], tangent_[i + 1], chord, chord > 0 ? c / chord : x);
  const Quat<double> out = math::squad_out(a.world_from_cam, b.world_from_cam, step * turn_[i]),
                     in = math::squad_in(a.world_from_cam, b.world_from_cam, step * turn_[i + 1]);
  return {{p.x, p.y, p.z},
          math::squad(a.world_from_cam, out, in, b.world_from_cam, x),
          std::exp(math::hermite(log_fov_[i], log_fov_[i + 1], fov_slope_[i], fov_slope_[i + 1], step, x)),
          std::lerp(a.stretch, b.stretch, x),
          {std::lerp(a.shift[0], b.shift[0], x), std::lerp(a.shift[1], b.shift[1], x)}};
}

double PathCurve::seconds() const {
  const double once = pieces_.empty() ? 0 : pieces_.back().to;
  return loop_ == LoopMode::kPingPong ? 2 * once : once;
}

std::vector<double> PathCurve::key_seconds() const {
  const size_t count = keys_.size() - (loop_ == LoopMode::kLoop && keys_.size() > 1 ? 1 : 0);
  std::vector<double> when;
  for (size_t i = 0; i < count; ++i) {
    double low = 0, high = pieces_.empty() ? 0 : pieces_.back().to;
    const double close = 1e-6 * high;
    if (lengths_.empty()) low = high = keys_[i].seconds - keys_[0].seconds;
    if (i == 0) low = high = 0;
    while (high - low > close) {  // the parameter never falls
      const double middle = 0.5 * (low + high);
      (u_at(middle) < u_[i] ? low : high) = middle;
    }
    when.push_back(high);
  }
  return when;
}

CameraPose PathCurve::at(double seconds) const {
  const double all = this->seconds(), once = pieces_.empty() ? 0 : pieces_.back().to;
  if (loop_ != LoopMode::kNone && all > 0) {
    seconds = std::fmod(seconds, all);
    if (seconds < 0) seconds += all;
    if (seconds > once) seconds = all - seconds;
  }
  CameraPose pose = pose_at(u_at(seconds));
  if (target_) {
    const double distance = std::max(length(vec(pose.position) - *target_), 1e-12);
    pose.fov_y_deg = std::clamp(2 * std::atan(target_size_ / distance) * 180 / std::numbers::pi, kLeastFov, kMostFov);
  }
  return pose;
}

std::vector<CameraPose> PathCurve::sampled(double per_second) const {
  const size_t count = std::max<size_t>(1, size_t(std::llround(seconds() * per_second)));
  std::vector<CameraPose> poses;
  poses.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    poses.push_back(at(double(i) / per_second));
    Quat<double>& q = poses.back().world_from_cam;
    if (i > 0 && math::dot(poses[i - 1].world_from_cam, q) < 0) q = {-q.w, -q.x, -q.y, -q.z};
  }
  return poses;
}

}  // namespace splat
