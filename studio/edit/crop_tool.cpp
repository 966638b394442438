#include "studio/edit/crop_tool.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "splat/core/percentile.h"
#include "splat/model/focus_point.h"
#include "splat/model/stray_views.h"
#include "viewer/widgets/icons.h"

namespace studio {

using splat::Box;
using Point = std::array<double, 3>;

namespace {

constexpr double kThinnest = 1e-4;      // of a side that is dragged, as a share of the longest
constexpr double kStraight = 0.5;       // degrees: an axis that points up as nearly as this does so
constexpr double kRoom = 0.1;           // around cameras, of the longest side
constexpr double kFlattestSine = 0.05;  // between a face's direction and the line of sight

Point plus(const Point& a, const Point& b, double times) {
  return {a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2]};
}

double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// How far along the line, from `origin` on, it passes nearest to what lies behind the pixel. None: it points at the
// camera.
std::optional<double> along_line(const splat::View& view, double x, double y, const Point& origin,
                                 const Point& direction) {
  const splat::PinholeCamera& c = view.camera;
  const auto& r = view.cam_from_world.rotation;
  const double u = (x - double(c.cx)) / double(c.fx), v = (y - double(c.cy)) / double(c.fy);
  Point ray{};
  for (size_t i = 0; i < 3; ++i) ray[i] = u * r[i] + v * r[3 + i] + r[6 + i];
  const double length = std::sqrt(dot(ray, ray));
  for (double& value : ray) value /= length;
  const Point between = plus(origin, view.cam_from_world.origin_in_source(), -1);
  const double cosine = dot(ray, direction), sine2 = 1 - cosine * cosine;
  if (!(sine2 > kFlattestSine * kFlattestSine)) return std::nullopt;
  return (cosine * dot(between, ray) - dot(between, direction)) / sine2;
}

std::vector<splat::Rigid3> poses_of(const std::vector<PhotoCamera>& cameras) {
  std::vector<splat::Rigid3> poses;
  for (const PhotoCamera& camera : cameras) poses.push_back(camera.view.cam_from_world);
  return poses;
}

// Half the side of a cube that the middle one of the cameras has in view around the point.
double seen_around(const std::vector<PhotoCamera>& cameras, const Point& focus) {
  std::vector<double> halves;
  for (const PhotoCamera& one : cameras) {
    const double depth = (one.view.cam_from_world * focus)[2];
    const splat::PinholeCamera& c = one.view.camera;
    halves.push_back(depth * std::min(c.width / (2.0 * double(c.fx)), c.height / (2.0 * double(c.fy))));
  }
  return splat::median(std::move(halves)) / std::sqrt(3.0);  // its corners, too
}

}  // namespace

Point face_direction(const Box& box, size_t face) {
  Point axis{};
  axis[face / 2] = face % 2 == 0 ? -1 : 1;
  return splat::Similarity{1, box.rotation, {}}.turned(axis);
}

Point face_middle(const Box& box, size_t face) {
  return plus(box.centre(), face_direction(box, face), box.half()[face / 2]);
}

Box with_face_moved(const Box& box, size_t face, double by) {
  Point half = box.half();
  const double longest = *std::max_element(half.begin(), half.end());
  by = std::max(by, 2 * (kThinnest * longest - half[face / 2]));
  half[face / 2] += by / 2;
  return splat::box_about(plus(box.centre(), face_direction(box, face), by / 2), half, box.rotation);
}

Box moved(const Box& box, const splat::Similarity& by) {
  const splat::Similarity turned = by * splat::Similarity{1, box.rotation, {}};
  return splat::box_about(by * box.centre(), box.half(), splat::unit_quat(turned.rotation));
}

Point turn_degrees(const splat::math::Quat<double>& turn) {
  const auto rotation = splat::math::rotation_from_quat(turn);
  const auto& r = rotation.m;
  const double y = std::asin(std::clamp(-r[2][0], -1.0, 1.0));
  if (std::abs(r[2][0]) > 1 - 1e-12)  // X and Z are one axis then
    return {degrees(std::atan2(-r[1][2], r[1][1])), degrees(y), 0};
  return {degrees(std::atan2(r[2][1], r[2][2])), degrees(y), degrees(std::atan2(r[1][0], r[0][0]))};
}

splat::math::Quat<double> turn_from(const Point& degrees) {
  return splat::unit_quat(transform_of(TransformKind::kTurn, {{}, degrees, 1}, {0, 0, 0}).rotation);
}

splat::math::Quat<double> upright(const Vec3& up) {
  const Point direction = array3(normalized(up));
  size_t nearest = 0;
  for (size_t c = 1; c < 3; ++c)
    if (std::abs(direction[c]) > std::abs(direction[nearest])) nearest = c;
  if (std::abs(direction[nearest]) > std::cos(radians(kStraight))) return {1, 0, 0, 0};
  Point axis{};
  axis[nearest] = direction[nearest] < 0 ? -1 : 1;
  return splat::quat_between(axis, direction);
}

std::optional<Box> box_of_cameras(const std::vector<PhotoCamera>& all, CameraBox what,
                                  const splat::math::Quat<double>& turn) {
  if (all.empty()) return std::nullopt;
  const auto pose_of = [](const PhotoCamera& camera) { return camera.view.cam_from_world; };
  const std::vector<PhotoCamera> cameras = splat::without_outside<PhotoCamera>(all, pose_of);
  const std::vector<splat::Rigid3> poses = poses_of(cameras);
  const Box axes{{0, 0, 0}, {0, 0, 0}, turn};
  Bounds stands;
  for (const splat::Rigid3& pose : poses) stands.add(vec3(axes.unturned(pose.origin_in_source())));
  const Point extent = array3(stands.high - stands.low);
  const double longest = *std::max_element(extent.begin(), extent.end());
  if (what == CameraBox::kStands) {
    const double room = longest > 0 ? kRoom * longest : 1;
    const Point half{extent[0] / 2 + room, extent[1] / 2 + room, extent[2] / 2 + room};
    return splat::box_about(splat::Similarity{1, turn, {}}.turned(array3(stands.centre())), half, turn);
  }
  const Point focus = splat::focus_point(poses, longest > 0 ? longest : 1);
  const double half = seen_around(cameras, focus);
  if (!(half > 0) || !std::isfinite(half)) return std::nullopt;
  return splat::box_about(focus, {half, half, half}, turn);
}

CropTool::CropTool()
    : Tool({"Crop box",
            "A box to select, delete or show by, and to train or mesh in: drag its faces, its arrows, or (J again) its "
            "rings",
            "Crop box tool", "J"},
           icon::kCrop) {}

void CropTool::answered(const EditedScene& scene) {
  if (scene.box) set(scene.box);
}

void CropTool::set(const std::optional<Box>& box) {
  cancel();
  if (!box || splat::is_usable(*box)) box_ = box;
}

void CropTool::begin_drag() {
  if (!before_) before_ = box_;
}

void CropTool::drag(const splat::Similarity& by) {
  if (before_) box_ = moved(*before_, by);
}

void CropTool::end_drag() {
  before_.reset();
  face_.reset();
}

void CropTool::cancel() {
  if (before_) box_ = before_;
  end_drag();
}

std::optional<size_t> CropTool::face_at(const splat::View& view, double x, double y, double reach_px) const {
  std::optional<size_t> nearest;
  double least = reach_px, depth = 0;
  for (size_t face = 0; box_ && face < kFaces; ++face) {
    const Point middle = face_middle(*box_, face);
    const auto pixel = pixel_of(view, vec3(middle));
    if (!pixel) continue;
    const double distance = std::hypot(pixel->x - x, pixel->y - y), z = (view.cam_from_world * middle)[2];
    if (distance > reach_px || (nearest && distance > 0.9 * least && z > depth)) continue;
    nearest = face, least = distance, depth = z;
  }
  return nearest;
}

bool CropTool::handle(const InputEvent& event, const splat::View& view, double scale) {
  using Kind = InputEvent::Kind;
  const bool left = event.button == MouseButton::kLeft;
  switch (event.kind) {
    case Kind::kPress:
    case Kind::kDoubleClick: {
      if (!left || event.modifiers.alt || dragging()) return false;
      face_ = face_at(view, event.x, event.y, kHandlePx * scale);
      if (!face_) return false;
      const auto at = along_line(view, event.x, event.y, face_middle(*box_, *face_), face_direction(*box_, *face_));
      if (!at) return face_.reset(), false;
      begin_drag();
      grabbed_ = *at;
      return true;
    }
    case Kind::kMove:
      if (!face_ || !before_) return false;
      if (const auto at =
              along_line(view, event.x, event.y, face_middle(*before_, *face_), face_direction(*before_, *face_)))
        box_ = with_face_moved(*before_, *face_, *at - grabbed_);
      return true;
    case Kind::kRelease:
      if (!left || !face_) return false;
      end_drag();
      return true;
    case Kind::kFocusLost:
      if (face_) cancel();
      return false;
    default:
      return false;
  }
}

bool CropTool::take_changed() {
  if (dragging() || box_ == settled_) return false;
  settled_ = box_;
  return true;
}

}  // namespace studio
