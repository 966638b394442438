#include <algorithm>
#include <string>
#include <utility>

#include "studio/edit/gizmo.h"
#include "studio/edit/send_edit.h"
#include "studio/edit/transform_tool.h"
#include "viewer/widgets/icon_button.h"

namespace studio {
namespace {

void kinds(Workspace& work, TransformTool& tool) {
  const auto kind = [&](TransformKind one, const char* icon, const char* name, const char* tip) {
    ImGui::SameLine();
    if (icon_button(work.appearance, icon, name, tip, tool.kind == one, ImGui::GetFrameHeight()) && !tool.dragging())
      tool.kind = one;
  };
  kind(TransformKind::kMove, icon::kMove, "Move",
       "Move: drag an arrow or a square; Ctrl moves in steps (T again: turn)");
  kind(TransformKind::kTurn, icon::kTurn, "Turn", "Turn: drag a ring; Ctrl turns by 15 degrees (T again: scale)");
  kind(TransformKind::kScale, icon::kScale, "Scale",
       "Scale: drag a handle: all sides scale alike; Ctrl by tenths (T again: move)");
}

bool field(const char* letter, const char* label, const char* tip, double* value, const char* format, float width) {
  ImGui::SameLine();
  ImGui::TextUnformatted(letter);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(width);
  ImGui::InputDouble(("##" + std::string(label)).c_str(), value, 0, 0, format);
  note_place(label);
  const bool typed = entered();
  tooltip(tip);
  return typed;
}

bool fields(TransformTool& tool) {
  TransformNumbers& n = tool.numbers;
  const float em = ImGui::GetFontSize(),
              gaps = ImGui::GetStyle().ItemSpacing.x + ImGui::GetStyle().ItemInnerSpacing.x + em;
  const float room = (ImGui::GetWindowWidth() - ImGui::GetItemRectMax().x + ImGui::GetWindowPos().x) / 3 - gaps;
  const float width = std::clamp(room, 2.2f * em, 6 * em);
  bool enter = false;
  if (tool.kind == TransformKind::kMove) {
    enter |= field("X", "Along X", "Along X, world units. Enter moves", &n.move[0], "%.5g", width);
    enter |= field("Y", "Along Y", "Along Y, world units. Enter moves", &n.move[1], "%.5g", width);
    enter |= field("Z", "Along Z", "Along Z, world units. Enter moves", &n.move[2], "%.5g", width);
  } else if (tool.kind == TransformKind::kTurn) {
    constexpr const char* kTip = "Degrees, right-handed, around the middle; X first, then Y, then Z. Enter turns";
    enter |= field("X", "About X", kTip, &n.turn_deg[0], "%.5g deg", width);
    enter |= field("Y", "About Y", kTip, &n.turn_deg[1], "%.5g deg", width);
    enter |= field("Z", "About Z", kTip, &n.turn_deg[2], "%.5g deg", width);
  } else {
    enter |= field("Factor", "Factor", "1: as it is; around the middle. Enter scales", &n.scale, "%.6g", width);
  }
  return enter;
}

}  // namespace

// The handles stand in the middle of the selection, which is asked for.
void TransformTool::chosen(Workspace& work, bool again) {
  if (again && !dragging_) kind = TransformKind((int(kind) + 1) % 3);
  if (again || !work.edit.scene) return;
  work.edit.scene->extent.reset();  // of another selection
  send_edit(work, {});
}

// While a handle is held there is only Escape.
bool TransformTool::take_keys(Workspace& work, const std::string& keys) {
  if (!dragging_) return false;
  if (without_shift(keys) == "Escape") cancel(), work.look.changed = true;
  return true;
}

void TransformTool::draw_strip(Workspace& work) {
  const EditedScene& scene = *work.edit.scene;
  kinds(work, *this);
  if (!scene.extent) return strip_text(work, "There is no splat to move.");
  ImGui::SameLine();
  const bool pressed = button("Apply", "Does what the numbers say, as one step (Enter)");
  const bool enter = fields(*this);
  strip_text(work, scene.selected > 0 ? count_text(scene.selected) + " selected splats"
                                      : std::string("The whole scene: nothing is selected"));
  const bool scales = kind == TransformKind::kScale;
  if (scales && !(numbers.scale > 0)) numbers.scale = 1;
  if (enter || pressed)
    if (auto step = apply_numbers(scene)) send_edit(work, {std::move(*step)});
}

void TransformTool::draw_over_scene(Workspace& work, const ScenePlace& place) {
  const std::optional<EditedScene>& scene = work.edit.scene;
  if (!scene || !scene->extent) return;
  const splat::edit::RowsExtent& extent = *scene->extent;
  splat::Similarity by;
  const HandleEvent event = take_handles(
      work, place, {kind, extent.centre, shown_.by * extent.centre, extent.size(), dragging_, !waiting_}, by);
  if (event == HandleEvent::kNone) return;
  work.look.changed = true;
  if (event == HandleEvent::kDragged) return drag(by, *scene);
  if (auto step = finish()) send_edit(work, {std::move(*step)});
}

}  // namespace studio
