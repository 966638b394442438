// How the camera moves: over time, by turns and ways, and to places.
#include "viewer/camera/navigator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "splat/model/stray_views.h"
#include "viewer/camera/camera_moves.h"

namespace viewer {

using splat::math::dot;

namespace {

constexpr double kFastFlight = 5, kSlowFlight = 0.2;
constexpr double kSlowestNear = 0.1;    // of the scene's radius, which flight follows near a pivot
constexpr double kMinFocus = 1e-4;      // of the scene's radius: no closer to the pivot
constexpr double kRest = 1e-4;          // of the radius a second: slower flight has stopped
constexpr double kLevelSeconds = 0.12;  // in which 63 % of a roll go

std::vector<CameraState> states_of(const std::vector<PhotoCamera>& photos, int width, int height) {
  std::vector<CameraState> states;
  for (const PhotoCamera& photo : photos) states.push_back(state_of(photo.view, width, height, 1));
  return states;
}

}  // namespace

// ---- settings and scene

void Navigator::set_viewport(int width, int height) {
  width = std::max(width, 1), height = std::max(height, 1);
  const bool changed = width != width_ || height != height_;
  width_ = width, height_ = height;
  if (photo_) camera_ = state_of(photos_[size_t(*photo_)].view, width_, height_, camera_.focus_distance);
  if (!changed || !home_frames_) return;
  const bool there = at_home();
  home_ = framing(*home_, framed_, radius_, width_, height_);
  if (there) camera_ = *home_;
}

void Navigator::set_settings(const NavigationSettings& settings) {
  if (settings.fov_y_deg != settings_.fov_y_deg) {
    user_moves();
    camera_.fov_y_deg = settings.fov_y_deg;
  }
  settings_ = settings;
}

void Navigator::set_scene(const Bounds& scene, const Bounds& framed) {
  scene_ = scene;
  framed_ = framed.empty() ? scene : framed;
  radius_ = scene.radius() > 0 ? scene.radius() : 1;
}

void Navigator::set_photo_cameras(std::vector<PhotoCamera> cameras) {
  photos_ = std::move(cameras);
  photo_.reset();
  last_photo_ = arriving_at_ = home_photo_ = -1;
}

void Navigator::set_camera(const CameraState& state) {
  user_moves();
  flight_.stop();
  zoom_.stop();
  levelling_ = false;
  camera_ = state;
}

splat::View Navigator::view(int width, int height) const {
  if (photo_) return fitted(photos_[size_t(*photo_)].view, width, height);
  return view_of(camera_, width, height);
}

void Navigator::set_up(const Vec3& up, bool animate) {
  up_ = normalized(up);
  user_moves();
  levelling_ = true;
  if (!animate) level_by(1);
}

void Navigator::level() {
  user_moves();
  levelling_ = true;
}

void Navigator::user_moves() {
  transition_.reset();
  arriving_at_ = -1;
  photo_.reset();
}

// ---- movement

void Navigator::update(double seconds) {
  if (!(seconds > 0)) return;
  if (transition_) {
    camera_ = transition_->advance(seconds);
    if (transition_->done()) arrive();
  }
  if (flying()) {
    if (!flight_began_with_) flight_began_with_ = speed_here();
    const Vec3 target = flight_target();
    user_moves();
    camera_.position = camera_.position + flight_.advance(target, seconds);
    if (length(target) == 0 && flight_.speed() < kRest * *flight_began_with_) flight_.stop();
  }
  if (!flying()) flight_began_with_.reset();
  if (zoom_.moving()) {
    const double x = zoom_.x(), y = zoom_.y();
    dolly(zoom_.advance(seconds), x, y);
  }
  if (levelling_) level_by(1 - std::exp(-seconds / kLevelSeconds));
}

bool Navigator::flying() const { return flight_.speed() > 0 || length(flight_target()) > 0; }

bool Navigator::moving() const {
  return drag_ != Drag::kNone || transition_ || levelling_ || zoom_.moving() || flying();
}

Vec3 Navigator::flight_target() const {
  Vec3 direction{0, 0, 0};
  const auto add = [&](Key key, const Vec3& way) {
    if (held(key)) direction = direction + way;
  };
  add(Key::kForward, camera_.forward());
  add(Key::kBack, -1.0 * camera_.forward());
  add(Key::kRight, camera_.right());
  add(Key::kLeft, -1.0 * camera_.right());
  add(Key::kUp, up_);
  add(Key::kDown, -1.0 * up_);
  const double size = length(direction);
  if (size < 1e-9) return {0, 0, 0};
  double speed = flight_speed();
  if (held(Key::kShift)) speed *= kFastFlight;
  if (held(Key::kAlt)) speed *= kSlowFlight;
  return (speed / size) * direction;
}

double Navigator::speed_here() const {
  const auto outside = [](double at, double low, double high) { return std::max({low - at, at - high, 0.0}); };
  const Vec3& p = camera_.position;
  double away = 0;  // from the box of the scene
  if (!scene_.empty())
    away = length(Vec3{outside(p.x, scene_.low.x, scene_.high.x), outside(p.y, scene_.low.y, scene_.high.y),
                       outside(p.z, scene_.low.z, scene_.high.z)});
  const double near = std::clamp(camera_.focus_distance, kSlowestNear * radius_, radius_);
  return 0.5 * std::max(near, away);
}

double Navigator::flight_speed() const { return settings_.speed * flight_began_with_.value_or(speed_here()); }

void Navigator::look(double yaw, double pitch) {
  camera_.world_from_cam = turned(camera_.world_from_cam, up_, yaw, pitch);
}

void Navigator::dolly(double log_factor, double x, double y) {
  const double focus = std::max(camera_.focus_distance * std::exp(log_factor), kMinFocus * radius_);
  viewer::dolly(camera_, width_, height_, focus, {x, y});
}

void Navigator::level_by(double fraction) { levelling_ = !viewer::level_by(camera_, up_, fraction); }

// ---- transitions

void Navigator::go_to(const CameraState& state) {
  user_moves();
  levelling_ = false;
  flight_.stop();
  zoom_.stop();
  transition_.emplace(camera_, state, kTransitionSeconds);
}

void Navigator::arrive() {
  transition_.reset();
  if (arriving_at_ >= 0) photo_ = arriving_at_;
  arriving_at_ = -1;
}

void Navigator::frame(const Bounds& bounds) {
  CameraState from = camera_;
  from.fov_y_deg = settings_.fov_y_deg;
  viewer::level_by(from, up_, 1);  // a photo's roll is no part of the direction that is kept
  go_to(framing(from, bounds, radius_, width_, height_));
}

// What the photos' cameras saw: a room from where one of them was.
void Navigator::frame_seen(const Bounds& bounds) {
  CameraState framed = camera_;
  framed.fov_y_deg = settings_.fov_y_deg;
  framed = framing(framed, framed_, radius_, width_, height_);
  if (const auto inside = view_from_inside(framed_, states_of(photos_, width_, height_), framed)) {
    framed.position = inside->position, framed.focus_distance = inside->focus_distance;
    framed.world_from_cam = inside->world_from_cam;
    viewer::level_by(framed, up_, 1);
    return go_to(framed);
  }
  frame(bounds);
}

void Navigator::frame_scene() {
  mode_ = NavigationMode::kOrbit;
  frame_seen(framed_);
}

void Navigator::frame_all() {
  Bounds all = scene_;
  const auto pose_of = [](const PhotoCamera& photo) { return photo.view.cam_from_world; };
  for (const PhotoCamera& photo : splat::without_outside<PhotoCamera>(photos_, pose_of))
    all.add(vec3(photo.view.cam_from_world.origin_in_source()));
  frame_seen(all);
}

void Navigator::set_home_here() {
  set_home(camera_);
  home_frames_ = !view_from_inside(framed_, states_of(photos_, width_, height_),
                                   framing(camera_, framed_, radius_, width_, height_));
}

void Navigator::go_home() {
  if (home_photo_ >= 0)
    go_to_photo(home_photo_);
  else
    home_ ? go_to(*home_) : frame_scene();
}

void Navigator::go_to_photo(int index) {
  if (index < 0 || size_t(index) >= photos_.size()) return;
  const splat::View& view = photos_[size_t(index)].view;
  CameraState target = state_of(view, width_, height_, 1);
  const double depth = scene_.empty() ? radius_ : dot(scene_.centre() - target.position, target.forward());
  target.focus_distance = std::max(depth, 0.1 * radius_);
  go_to(target);
  arriving_at_ = last_photo_ = index;
}

void Navigator::step_photo(int step) {
  const int count = int(photos_.size());
  if (count == 0) return;
  const int from = last_photo_ >= 0 ? last_photo_ : step > 0 ? -1 : 0;
  go_to_photo(((from + step) % count + count) % count);
}

void Navigator::go_to_nearest_photo() {
  int nearest = -1;
  double least = 0;
  for (size_t i = 0; i < photos_.size(); ++i) {
    const CameraState state = state_of(photos_[i].view, width_, height_, 1);
    const double away = length(state.position - camera_.position) / radius_;
    const double turned_away = 1 - dot(state.forward(), camera_.forward());
    if (nearest < 0 || away + turned_away < least) {
      nearest = int(i);
      least = away + turned_away;
    }
  }
  go_to_photo(nearest);
}

void Navigator::focus_on(const Vec3& point) {
  mode_ = NavigationMode::kOrbit;
  CameraState target = camera_;
  const double depth = dot(point - camera_.position, camera_.forward());
  if (!camera_.orthographic && depth > kMinFocus * radius_) target.focus_distance = depth;
  target.position = point - target.focus_distance * target.forward();
  go_to(target);
}

void Navigator::focus_on_scene() {
  mode_ = NavigationMode::kOrbit;
  const Vec3 middle = scene_.empty() ? camera_.pivot() : scene_.centre();
  user_moves();
  camera_.focus_distance = std::max(dot(middle - camera_.position, camera_.forward()), kSlowestNear * radius_);
}

void Navigator::look_along(const Vec3& forward) { go_to(looking_along(camera_, forward, up_)); }

void Navigator::toggle_orthographic() {
  user_moves();
  camera_.orthographic = !camera_.orthographic;
}

// ---- bookmarks

void Navigator::store_bookmark(int index) { bookmarks_[size_t(index)] = camera_; }

void Navigator::go_to_bookmark(int index) {
  if (bookmarks_[size_t(index)]) go_to(*bookmarks_[size_t(index)]);
}

}  // namespace viewer
