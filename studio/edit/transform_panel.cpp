#include "studio/edit/transform_panel.h"

#include <imgui/imgui.h>

#include <cmath>
#include <string>

#include "studio/edit/send_edit.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

void kinds(Workspace& work, TransformTool& tool) {
  EvenRow row(work.appearance, 3);
  const auto kind = [&](TransformKind one, const char* label, const char* tip) {
    if (row.button(label, tip, tool.kind == one) && !tool.dragging()) tool.kind = one;
  };
  kind(TransformKind::kMove, "Move", "Drag an arrow or a square; Ctrl moves in steps (T again: turn)");
  kind(TransformKind::kTurn, "Turn", "Drag a ring; Ctrl turns by 15 degrees (T again: scale)");
  kind(TransformKind::kScale, "Scale", "Drag a handle: all sides scale alike; Ctrl by tenths (T again: move)");
}

bool field(const char* label, const char* tip, double* value, const char* format) {
  Row row(label, tip);
  ImGui::InputDouble(("##" + std::string(label)).c_str(), value, 0, 0, format);
  note_place(label);
  return entered();
}

bool fields(TransformTool& tool) {
  TransformNumbers& n = tool.numbers;
  bool enter = false;
  if (tool.kind == TransformKind::kMove) {
    enter |= field("Along X", "World units. Enter moves", &n.move[0], "%.5g");
    enter |= field("Along Y", "World units. Enter moves", &n.move[1], "%.5g");
    enter |= field("Along Z", "World units. Enter moves", &n.move[2], "%.5g");
  } else if (tool.kind == TransformKind::kTurn) {
    enter |= field("About X", "Degrees, right-handed, around the middle; X first, then Y, then Z. Enter turns",
                   &n.turn_deg[0], "%.5g deg");
    enter |= field("About Y", "Degrees, right-handed, around the middle. Enter turns", &n.turn_deg[1], "%.5g deg");
    enter |= field("About Z", "Degrees, right-handed, around the middle. Enter turns", &n.turn_deg[2], "%.5g deg");
  } else {
    enter |= field("Factor", "1: as it is; around the middle. Enter scales", &n.scale, "%.6g");
  }
  return enter;
}

}  // namespace

void draw_transform_panel(Workspace& work) {
  TransformTool& tool = work.edit.transform;
  const EditedScene& scene = *work.edit.scene;
  kinds(work, tool);
  if (!scene.extent) return faint_text(work.appearance, "There is no splat to move.");
  faint_text(work.appearance, scene.selected > 0 ? count_text(scene.selected) + " selected splats"
                                                 : std::string("The whole scene: nothing is selected"));
  const bool enter = fields(tool);
  const bool scales = tool.kind == TransformKind::kScale;
  if (scales && !(tool.numbers.scale > 0)) tool.numbers.scale = 1;
  const bool pressed = button("Apply", "Does what the numbers say, as one step (Enter)");
  if (enter || pressed)
    if (auto step = tool.apply_numbers(scene)) send_edit(work, {std::move(*step)});
}

}  // namespace viewer
