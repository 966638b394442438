#include "studio/film/path_marks.h"

#include <algorithm>
#include <cmath>

#include "splat/model/transform.h"

namespace studio {
namespace {

constexpr size_t kStepsOfAKey = 48, kMostLines = 6000, kMostFrusta = 500;

LineVertex vertex(const splat::CameraPose& pose, const Rgba& colour) {
  const auto& p = pose.position;
  return {{float(p[0]), float(p[1]), float(p[2])}, colour};
}

PhotoCamera camera_of(const splat::CameraPose& pose, double shape, bool of_time) {
  constexpr int kHeight = 900;
  PhotoCamera camera;
  camera.view = splat::view_of(pose, int(std::lround(kHeight * shape)), kHeight);
  camera.held_out = of_time;  // which has a colour of its own
  return camera;
}

}  // namespace

splat::CameraPose pose_of(const CameraState& camera) {
  std::array<double, 9> rotation{};
  for (size_t i = 0; i < 9; ++i) rotation[i] = camera.world_from_cam.m[i / 3][i % 3];
  return {array3(camera.position), splat::quat_from_rotation(rotation), camera.fov_y_deg};
}

CameraState camera_at(const splat::CameraPose& pose, double focus_distance) {
  CameraState camera;
  camera.position = vec3(pose.position);
  camera.world_from_cam = splat::math::rotation_from_quat(pose.world_from_cam);
  camera.fov_y_deg = pose.fov_y_deg;
  camera.focus_distance = focus_distance;
  return camera;
}

void PathMarks::set(const PathEditor& editor, const Look& look) {
  if (look == look_) return;
  look_ = look;
  std::vector<LineVertex> lines;
  const auto& keys = editor.path().keys;
  if (keys.size() > 1) {
    const bool back = editor.path().loop == splat::LoopMode::kPingPong;
    const double round = back ? editor.seconds() / 2 : editor.seconds();
    const size_t steps = std::min(kStepsOfAKey * keys.size(), kMostLines);
    LineVertex before = vertex(editor.pose_at(0), look.line);
    for (size_t i = 1; i <= steps; ++i) {  // the end of a loop is its start
      const LineVertex now = vertex(editor.pose_at(round * double(i) / double(steps)), look.line);
      lines.push_back(before), lines.push_back(now);
      before = now;
    }
  }
  std::vector<PhotoCamera> cameras;
  int current = -1;
  const size_t stride = keys.size() / kMostFrusta + 1;  // of a path with a key a picture some stand for all
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i == look.chosen) current = int(cameras.size());
    if (i % stride == 0 || i == look.chosen) cameras.push_back(camera_of(keys[i].pose, look.shape, false));
  }
  if (look.time && !keys.empty()) cameras.push_back(camera_of(editor.pose_at(*look.time), look.shape, true));
  const auto frusta = frustum_lines(cameras, look.size, current, {look.key, look.line, look.current});
  lines.insert(lines.end(), frusta.begin(), frusta.end());
  LinesLayer::set(std::move(lines));
}

std::optional<size_t> key_at(const PathEditor& editor, const splat::View& view, double x, double y, double reach) {
  std::optional<size_t> nearest;
  const auto& keys = editor.path().keys;
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto pixel = pixel_of(view, vec3(keys[i].pose.position));
    if (!pixel) continue;
    const double distance = std::hypot(pixel->x - x, pixel->y - y);
    if (distance <= reach) reach = distance, nearest = i;
  }
  return nearest;
}

}  // namespace studio
