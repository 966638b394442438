#include "studio/edit/gizmo.h"

#include <imgui/imgui.h>
// ImGuizmo after ImGui.
#include <imguizmo/ImGuizmo.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "studio/window/workspace.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

using Matrix = std::array<float, 16>;  // column-major

constexpr float kSize = 0.14f;      // of the scene
constexpr float kGizmoClickPx = 3;  // a press that moves less is a click, and does nothing

// OpenGL's camera looks along -z and has y up.
Matrix view_matrix(const splat::View& view) {
  const auto& r = view.cam_from_world.rotation;
  const auto& t = view.cam_from_world.translation;
  Matrix m{};
  for (size_t row = 0; row < 3; ++row) {
    const double sign = row == 0 ? 1 : -1;
    for (size_t column = 0; column < 3; ++column) m[4 * column + row] = float(sign * r[3 * row + column]);
    m[12 + row] = float(sign * t[row]);
  }
  m[15] = 1;
  return m;
}

Matrix projection_matrix(const splat::View& view, double depth) {
  const splat::PinholeCamera& c = view.camera;
  const double width = c.width, height = c.height, near = 0.01 * depth, far = 100 * depth;
  Matrix m{};
  m[0] = float(2 * c.fx / width);
  m[5] = float(2 * c.fy / height);
  m[8] = float(1 - 2 * c.cx / width);
  m[9] = float(2 * c.cy / height - 1);
  m[10] = float(-(far + near) / (far - near));
  m[11] = -1;
  m[14] = float(-2 * far * near / (far - near));
  return m;
}

Matrix at(const std::array<double, 3>& place) {
  Matrix m{};
  m[0] = m[5] = m[10] = m[15] = 1;
  for (size_t i = 0; i < 3; ++i) m[12 + i] = float(place[i]);
  return m;
}

std::array<double, 3> column(const Matrix& m, size_t index) {
  return {m[4 * index], m[4 * index + 1], m[4 * index + 2]};
}

double norm(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

// What the handles did to a frame that stood at `centre` along the axes of the world. Of a scaled one all axes get the
// factor of the one that was dragged.
splat::Similarity dragged(TransformKind kind, const Matrix& to, const std::array<double, 3>& centre) {
  switch (kind) {
    case TransformKind::kMove: {
      splat::Similarity by;
      for (size_t i = 0; i < 3; ++i) by.translation[i] = double(to[12 + i]) - double(float(centre[i]));
      return by;
    }
    case TransformKind::kTurn: {
      std::array<double, 9> rotation{};
      for (size_t c = 0; c < 3; ++c) {
        const std::array<double, 3> axis = column(to, c);
        for (size_t r = 0; r < 3; ++r) rotation[3 * r + c] = axis[r] / norm(axis);
      }
      return about({1, splat::quat_from_rotation(rotation)}, centre);
    }
    case TransformKind::kScale:
      break;
  }
  double factor = 1;
  for (size_t c = 0; c < 3; ++c)
    if (const double length = norm(column(to, c)); std::abs(length - 1) > std::abs(factor - 1)) factor = length;
  return about({factor}, centre);
}

ImGuizmo::OPERATION operation(TransformKind kind) {
  switch (kind) {
    case TransformKind::kMove:
      return ImGuizmo::TRANSLATE;
    case TransformKind::kTurn:
      return ImGuizmo::ROTATE;
    case TransformKind::kScale:
      break;
  }
  return ImGuizmo::SCALE;
}

// What Ctrl snaps to.
std::array<float, 3> steps(TransformKind kind, double size) {
  float step = TransformTool::kScaleStep;
  if (kind == TransformKind::kMove) step = float(TransformTool::move_step(size));
  if (kind == TransformKind::kTurn) step = TransformTool::kTurnStep;
  return {step, step, step};
}

// The colours of the axes in the corner of the scene, and lines as thick as the display needs.
void dress(float scale) {
  ImGuizmo::Style& style = ImGuizmo::GetStyle();
  const ImVec4 axes[]{{0.93f, 0.34f, 0.36f, 1}, {0.48f, 0.76f, 0.26f, 1}, {0.33f, 0.56f, 0.95f, 1}};
  for (int axis = 0; axis < 3; ++axis) {
    style.Colors[ImGuizmo::DIRECTION_X + axis] = axes[axis];
    style.Colors[ImGuizmo::PLANE_X + axis] = {axes[axis].x, axes[axis].y, axes[axis].z, 0.4f};
  }
  style.Colors[ImGuizmo::SELECTION] = {1, 0.85f, 0.3f, 1};
  style.TranslationLineThickness = style.ScaleLineThickness = style.RotationLineThickness = 3 * scale;
  style.RotationOuterLineThickness = 2 * scale;
  style.TranslationLineArrowSize = 8 * scale;
  style.ScaleLineCircleSize = style.CenterCircleSize = 6 * scale;
}

void begin(const ScenePlace& scene, float scale) {
  dress(scale);
  ImGuizmo::BeginFrame();
  ImGuizmo::SetDrawlist(ImGui::GetBackgroundDrawList());
  ImGuizmo::SetRect(scene.x, scene.y, scene.width, scene.height);
  ImGuizmo::SetGizmoSizeClipSpace(kSize);
  ImGuizmo::AllowAxisFlip(false);
}

}  // namespace

HandleEvent take_handles(Workspace& work, const ScenePlace& scene, const Handles& handles, splat::Similarity& by) {
  EditMode& edit = work.edit;
  static Matrix frame;  // NOLINT: ImGuizmo keeps the rest of a drag in a static of its own
  const splat::View view = work.look.navigator.view();
  const double depth = (view.cam_from_world * handles.at)[2];
  if (!(depth > 0)) return HandleEvent::kNone;
  begin(scene, work.appearance.scale);
  const bool abandoned = edit.gizmo_held && !handles.dragging;
  if (abandoned) ImGuizmo::Enable(false);  // lets go of the handle
  ImGuizmo::Enable(handles.enabled);
  if (!handles.dragging) frame = at(handles.at);
  const Matrix seen = view_matrix(view), projected = projection_matrix(view, depth);
  ImGuizmo::Manipulate(seen.data(), projected.data(), operation(handles.kind), ImGuizmo::WORLD, frame.data(), nullptr,
                       ImGui::GetIO().KeyCtrl ? steps(handles.kind, handles.size).data() : nullptr);
  if (const auto place = scene.at(view, vec3(handles.at))) note_place("Gizmo", place->x, place->y);
  const bool held = ImGuizmo::IsUsing(), was_held = std::exchange(edit.gizmo_held, held);
  if (held && !was_held) {  // a press that came before the pointer was known to be over a handle
    InputEvent lost;
    lost.kind = InputEvent::Kind::kFocusLost;
    work.look.navigator.handle(lost);
  }
  if (!held) return was_held && !abandoned ? HandleEvent::kReleased : HandleEvent::kNone;
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 from = io.MouseClickedPos[0], to = io.MousePos;
  edit.gizmo_moved = (was_held && edit.gizmo_moved) || std::hypot(to.x - from.x, to.y - from.y) >= kGizmoClickPx;
  by = edit.gizmo_moved ? dragged(handles.kind, frame, handles.from) : splat::Similarity();
  return HandleEvent::kDragged;
}

}  // namespace studio
