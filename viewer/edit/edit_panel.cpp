#include "viewer/edit/edit_panel.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "viewer/edit/align_panel.h"
#include "viewer/edit/cleanup_panel.h"
#include "viewer/edit/crop_panel.h"
#include "viewer/edit/edit_histogram.h"
#include "viewer/edit/measure_panel.h"
#include "viewer/edit/object_list.h"
#include "viewer/edit/transform_panel.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

struct ToolRow {
  EditTool tool;
  char key;
  const char *label, *tip;
};
constexpr ToolRow kTools[] = {
    {EditTool::kRectangle, 'R', "Rectangle R", "Drag a rectangle. Shift adds, Ctrl removes, both intersect"},
    {EditTool::kLasso, 'L', "Lasso L", "Drag around a part. Shift adds, Ctrl removes, both intersect"},
    {EditTool::kPolygon, 'P', "Polygon P",
     "Click the corners; Enter, a double click or the first corner closes it. Shift adds, Ctrl removes"},
    {EditTool::kBrush, 'B', "Brush B", "Paint over a part; [ and ] change the size. Shift adds, Ctrl removes"},
    {EditTool::kColour, 'C', "Colour C", "Click a colour: splats like it are selected. Shift adds, Ctrl removes"},
    {EditTool::kFlood, 'O', "Flood O",
     "Click an area of one colour: what is seen of it is selected. Shift adds, Ctrl removes, both intersect"},
    {EditTool::kSphere, 'N', "Sphere N",
     "Drag from the middle of a sphere, which lies on what is seen there. Shift adds, Ctrl removes"},
    {EditTool::kBox, 'Y', "Box Y",
     "Drag from the middle of a box along the axes of the world. Shift adds, Ctrl removes, both intersect"},
    {EditTool::kTransform, 'T', "Transform T",
     "Move, turn (T again) or scale the selection, or all where nothing is selected. Ctrl snaps, Escape abandons a "
     "drag"},
    {EditTool::kCrop, 'J', "Crop box J",
     "A box to select, delete or show by, and to train or mesh in: drag its faces, its arrows, or (J again) its rings"},
    {EditTool::kMeasure, 'M', "Measure M",
     "Click points on the scene: the lengths between them are shown. Backspace removes the last one"},
    {EditTool::kAlign, 'U', "Align U",
     "Click a point on one object, then the same on another, three times or more; Enter shows it, again applies"},
    {EditTool::kLook, 'V', "Look V", "The left button moves the camera, as the right and middle ones always do"},
};

using MakeStep = EditStep (*)(const EditMode& edit);
template <class Step>
EditStep plain(const EditMode&) {
  return Step{};
}
template <class Step>
EditStep by_near(const EditMode& edit) {
  return Step{edit.near};
}
void edit_step(Workspace& work, MakeStep step) { send_edit(work, {step(work.edit)}); }

struct StepRow {
  MakeStep step;
  bool needs_selection;
  const char *label, *tip, *action, *keys;
};
constexpr StepRow kSteps[] = {
    {plain<splat::edit::SelectAll>, false, "All", "Select all splats (Ctrl+A)", "Select all splats", "Ctrl+A"},
    {plain<splat::edit::SelectNone>, true, "None", "Select nothing (Ctrl+Shift+A, Escape)", "Select nothing",
     "Ctrl+Shift+A"},
    {plain<splat::edit::InvertSelection>, false, "Invert I", "Select the others instead (I or Ctrl+I)",
     "Invert the selection", "I"},
    {by_near<splat::edit::GrowSelection>, true, "Grow +", "Splats near a selected one join the selection (+)",
     "Grow the selection", "+"},
    {by_near<splat::edit::ShrinkSelection>, true, "Shrink -",
     "Selected splats near one that is not leave the selection (-)", "Shrink the selection", "-"},
    {plain<splat::edit::HideSelected>, true, "Hide H",
     "The selected splats are not shown until Unhide; they are saved all the same (H)", "Hide the selected splats",
     "H"},
    {plain<splat::edit::LockSelected>, true, "Lock K", "The selected splats cannot be selected until Unlock (K)",
     "Lock the selected splats", "K"},
    {plain<splat::edit::DeleteSelected>, true, "Delete", "Delete the selected splats; Ctrl+Z brings them back (Delete)",
     "Delete the selected splats", "Delete"},
    {plain<splat::edit::DuplicateSelected>, true, "Duplicate",
     "Copies of the selected splats, which are selected instead (Ctrl+D)", "Duplicate the selected splats", "Ctrl+D"},
    {plain<splat::edit::SeparateSelected>, true, "Separate",
     "The selected splats become an object, which is listed below and can be saved alone (Ctrl+J)",
     "Separate the selected splats", "Ctrl+J"},
};

// Also by its key. The handles stand in the middle of the selection, which is asked for.
void choose_tool(Workspace& work, EditTool tool) {
  EditMode& edit = work.edit;
  if (tool == EditTool::kTransform && edit.tool == tool && !edit.transform.dragging()) edit.transform.next_kind();
  if (tool == EditTool::kCrop && edit.tool == tool && !edit.crop.dragging()) edit.crop.next_kind();
  const bool transformed = edit.tool == EditTool::kTransform;
  if (edit.tool != tool) edit.choose(tool);
  if (tool == EditTool::kCrop && !edit.crop.box()) begin_crop_box(work);
  if (edit.tool != EditTool::kTransform || !edit.scene || transformed) return;
  edit.scene->extent.reset();  // of another selection
  send_edit(work, {});
}

// Buttons in lines as wide as the panel.
class Lines {
 public:
  bool button(const Appearance& look, const char* label, const char* tip, bool marked = false) {
    const float width = ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (begun_ && ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right_) ImGui::SameLine();
    begun_ = true;
    return marked ? main_button(look, label, tip, 0) : viewer::button(label, tip);
  }

 private:
  const float right_ = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool begun_ = false;
};

void tools(Workspace& work) {
  EditMode& edit = work.edit;
  Lines lines;
  for (const ToolRow& row : kTools)
    if (lines.button(work.appearance, row.label, row.tip, edit.tool == row.tool) && edit.tool != row.tool)
      choose_tool(work, row.tool);
  if (edit.tool == EditTool::kLook) return;
  if (edit.tool == EditTool::kBrush) {
    Row row("Brush", "Radius of the brush, px ([ and ]). Default 40");
    ImGui::SliderFloat("##brush", &edit.brush_px, EditMode::kSmallestBrush, EditMode::kLargestBrush, "%.0f px",
                       ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  }
  if (edit.tool == EditTool::kMeasure) return draw_measure_panel(work);
  if (edit.tool == EditTool::kAlign) return draw_align_panel(work);
  if (edit.tool == EditTool::kTransform) return draw_transform_panel(work);
  if (edit.tool == EditTool::kCrop) return draw_crop_panel(work);
  if (edit.tool == EditTool::kSphere || edit.tool == EditTool::kBox) return;
  if (edit.tool == EditTool::kColour || edit.tool == EditTool::kFlood) {
    Row row("Tolerance", "How much red, green and blue may differ, 0 to 1. Default 0.1");
    ImGui::SliderFloat("##tolerance", &edit.tolerance, 0.01f, 0.5f, "%.2f", ImGuiSliderFlags_AlwaysClamp);
  }
  if (edit.tool == EditTool::kColour) return;
  EvenRow row(work.appearance, 2);
  if (row.button("Visible", "Shapes select the splats that are seen in them (X switches)", edit.visible))
    edit.visible = true;
  if (row.button("Through", "Shapes select everything whose centre lies behind them, seen or not (X switches)",
                 !edit.visible))
    edit.visible = false;
}

void history_button(Workspace& work, Lines& lines, MakeStep step, const char* label, const std::string& what,
                    const char* keys) {
  ImGui::BeginDisabled(what.empty());
  const std::string tip =
      (what.empty() ? "nothing to " + std::string(step == MakeStep(plain<splat::edit::Undo>) ? "undo" : "redo")
                    : label + (": " + what)) +
      " (" + keys + ")";
  if (lines.button(work.appearance, label, tip.c_str())) edit_step(work, step);
  ImGui::EndDisabled();
}

void steps(Workspace& work) {
  const EditedScene& scene = *work.edit.scene;
  Lines lines;
  history_button(work, lines, plain<splat::edit::Undo>, "Undo", scene.undo, "Ctrl+Z");
  history_button(work, lines, plain<splat::edit::Redo>, "Redo", scene.redo, "Ctrl+Shift+Z");
  for (const StepRow& row : kSteps) {
    ImGui::BeginDisabled(row.needs_selection && scene.selected == 0);
    if (lines.button(work.appearance, row.label, row.tip)) edit_step(work, row.step);
    ImGui::EndDisabled();
  }
  if (scene.hidden > 0 && lines.button(work.appearance, "Unhide", "Show what is hidden (Shift+H)"))
    edit_step(work, plain<splat::edit::UnhideAll>);
  if (scene.locked > 0 && lines.button(work.appearance, "Unlock", "Locked splats can be selected again (Shift+K)"))
    edit_step(work, plain<splat::edit::UnlockAll>);
  Row row("Grow by", "How near, world units, for Grow and Shrink. Default twice the usual size of a splat");
  ImGui::InputDouble("##near", &work.edit.near, 0, 0, "%.3g");
}

void counts(const EditedScene& scene) {
  fact("Selected", count_text(scene.selected));
  if (scene.hidden > 0) fact("Hidden", count_text(scene.hidden));
  if (scene.locked > 0) fact("Locked", count_text(scene.locked));
  fact("Deleted", count_text(scene.deleted), "They go when the splats are saved; until then Ctrl+Z brings them back");
}

void ending(Workspace& work) {
  ImGui::BeginDisabled(!work.edit.scene->unsaved);
  if (button("Save edited splats...", "Write a file without what is deleted (Ctrl+S)", -1))
    work.dialogs.export_wanted = true, work.dialogs.export_object.reset();
  ImGui::EndDisabled();
  if (button("Done", "Leave the edit mode; the edits stay until the scene is closed (Ctrl+E)", -1))
    set_edit_mode(work, false);
}

void shape_lines(const EditMode& edit, const std::vector<ImVec2>& path, ImU32 line, float thick, ImDrawList& list) {
  constexpr ImU32 kFill = IM_COL32(255, 160, 30, 40);
  if (edit.tool == EditTool::kSphere || edit.tool == EditTool::kBox) {
    if (path.size() < 2) return;
    const ImVec2 middle = path[0];
    const float r = std::hypot(path[1].x - middle.x, path[1].y - middle.y);
    const ImVec2 low{middle.x - r, middle.y - r}, high{middle.x + r, middle.y + r};
    const bool box = edit.tool == EditTool::kBox;
    box ? list.AddRectFilled(low, high, kFill) : list.AddCircleFilled(middle, r, kFill);
    box ? list.AddRect(low, high, line, 0, thick) : list.AddCircle(middle, r, line, 0, thick);
  } else if (edit.tool == EditTool::kRectangle) {
    if (path.size() < 2) return;
    list.AddRectFilled(path[0], path[1], kFill);
    list.AddRect(path[0], path[1], line, 0, thick);
  } else {
    list.AddPolyline(path.data(), int(path.size()), line, thick, ImDrawFlags_Closed);
  }
}

// A cross, light on dark.
void draw_key_pointer(const Workspace& work, const ScenePlace& scene) {
  constexpr std::array<std::pair<float, ImU32>, 2> kLines{{{3.5f, IM_COL32(0, 0, 0, 160)}, {1.5f, IM_COL32_WHITE}}};
  const auto& pointer = work.edit.key_pointer.at();
  if (!pointer) return;
  const ImVec2 at = scene.at(Pixel{(*pointer)[0], (*pointer)[1]});
  const float arm = 9 * work.appearance.scale;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  for (const auto& [thick, colour] : kLines) {
    list.AddLine({at.x - arm, at.y}, {at.x + arm, at.y}, colour, thick * work.appearance.scale);
    list.AddLine({at.x, at.y - arm}, {at.x, at.y + arm}, colour, thick * work.appearance.scale);
  }
}

}  // namespace

void set_edit_mode(Workspace& work, bool on) {
  if (on && (!work.received.splats || work.received.live())) return;
  if (on && work.received.splats->iteration >= 0)
    return work.say("these are the splats of a run: save them (Ctrl+S) and open that file to edit them");
  work.edit.on = on;
  work.edit.align.put_back();
  work.edit.cancel_shape();
  if (on) send_edit(work, {});
}

void draw_edit_panel(Workspace& work) {
  if (!section("Edit splats")) return;
  if (!work.edit.scene) return faint_text(work.appearance, "Preparing...");
  tools(work);
  ImGui::Spacing();
  steps(work);
  ImGui::Spacing();
  counts(*work.edit.scene);
  ImGui::Spacing();
  ending(work);
  const bool several = work.edit.scene->objects.size() > 1;  // else there is little to say of them
  if (several) draw_object_list(work);
  draw_cleanup_panel(work);
  draw_edit_histogram(work);
  if (!several) draw_object_list(work);
}

std::string edit_hint(const EditMode& edit) {
  for (const ToolRow& row : kTools)
    if (row.tool == edit.tool) return row.tip;
  return {};
}

void draw_edit_shape(const Workspace& work, const ScenePlace& scene) {
  const EditMode& edit = work.edit;
  if (work.edits() && edit.takes_points()) draw_key_pointer(work, scene);
  if (edit.tool == EditTool::kMeasure) return draw_measured(work, scene);
  if (edit.tool == EditTool::kAlign) return draw_aligned_points(work, scene);
  if (!work.edits() || !edit.takes_points()) return;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const float unit = 1 / scene.pixels_per_unit;
  const auto at = [&](const splat::edit::ScreenPoint& p) {
    return ImVec2{scene.x + float(p.x) * unit, scene.y + float(p.y) * unit};
  };
  std::vector<ImVec2> path;
  for (const auto& point : edit.shape()) path.push_back(at(point));
  const ImU32 line = packed(work.appearance.colours().accent);
  const float thick = 1.5f * work.appearance.scale;
  list.PushClipRect({scene.x, scene.y}, {scene.x + scene.width, scene.y + scene.height});
  if (edit.tool == EditTool::kBrush) {
    constexpr ImU32 kPaint = IM_COL32(255, 160, 30, 70);
    if (path.size() > 1) list.AddPolyline(path.data(), int(path.size()), kPaint, 2 * edit.brush_px * unit);
    list.AddCircle(at(edit.pointer()), edit.brush_px * unit, line, 0, thick);
  } else if (edit.drawing() && edit.tool != EditTool::kColour && edit.tool != EditTool::kFlood) {
    if (edit.tool == EditTool::kPolygon) path.push_back(at(edit.pointer()));
    shape_lines(edit, path, line, thick, list);
  }
  list.PopClipRect();
}

bool edit_key(Workspace& work, const EditKey& key) {
  EditMode& edit = work.edit;
  const Modifiers& m = key.modifiers;
  if (m.control && key.letter == 'E') return set_edit_mode(work, !edit.on), true;
  if (edit.crop.dragging() && key.escape) return edit.crop.abandon(), true;
  if (!work.edits() && work.crops() && key.letter == 'J' && !m.control) return edit.crop.next_kind(), true;
  if (!work.edits() || !edit.scene) return false;
  if (edit.transform.dragging()) {  // nothing else until the handle is let go
    if (key.escape) edit.transform.abandon(), work.look.changed = true;
    return key.letter != 0 || key.del || key.backspace || key.enter || key.escape || key.plus || key.minus ||
           key.bracket != 0;
  }
  const auto step = [&](MakeStep one) { return edit_step(work, one), true; };
  if (m.control) {
    if (key.letter == 'Z') return step(m.shift ? plain<splat::edit::Redo> : plain<splat::edit::Undo>);
    if (key.letter == 'Y') return step(plain<splat::edit::Redo>);
    if (key.letter == 'A') return step(m.shift ? plain<splat::edit::SelectNone> : plain<splat::edit::SelectAll>);
    if (key.letter == 'I') return step(plain<splat::edit::InvertSelection>);
    if (key.letter == 'D') return step(plain<splat::edit::DuplicateSelected>);
    if (key.letter == 'J') return step(plain<splat::edit::SeparateSelected>);
    return false;
  }
  if (crop_key(work, key) || align_key(work, key) || measure_key(work, key)) return true;
  for (const ToolRow& row : kTools)
    if (key.letter == row.key) return choose_tool(work, row.tool), true;
  if (key.letter == 'X') return edit.visible = !edit.visible, true;
  if (key.letter == 'I') return step(plain<splat::edit::InvertSelection>);
  if (key.letter == 'H') return step(m.shift ? plain<splat::edit::UnhideAll> : plain<splat::edit::HideSelected>);
  if (key.letter == 'K') return step(m.shift ? plain<splat::edit::UnlockAll> : plain<splat::edit::LockSelected>);
  if (key.plus) return step(by_near<splat::edit::GrowSelection>);
  if (key.minus) return step(by_near<splat::edit::ShrinkSelection>);
  if (key.del) return step(plain<splat::edit::DeleteSelected>);
  if (key.bracket != 0 && edit.tool == EditTool::kBrush) return edit.step_brush(key.bracket), true;
  if (key.enter && edit.close_polygon(m, work.look.navigator.view())) {
    if (auto made = edit.take_step()) send_edit(work, {std::move(*made)});
    return true;
  }
  if (key.escape && edit.drawing()) return edit.cancel_shape(), true;
  if (key.escape && edit.scene->selected > 0) return step(plain<splat::edit::SelectNone>);
  return false;
}

std::vector<Action> edit_actions(Workspace& work) {
  if (!work.edits() || !work.edit.scene) return {};
  std::vector<Action> all;
  const EditedScene& scene = *work.edit.scene;
  const auto step = [&work](MakeStep one) { return [&work, one] { edit_step(work, one); }; };
  for (const ToolRow& row : kTools) {
    const std::string label = row.label;  // ends in its key
    const auto choose = [&work, tool = row.tool] { choose_tool(work, tool); };
    all.push_back({label.substr(0, label.size() - 2) + " tool", std::string(1, row.key), true, choose});
  }
  for (const StepRow& row : kSteps)
    all.push_back({row.action, row.keys, !row.needs_selection || scene.selected > 0, step(row.step)});
  add_crop_actions(work, all);
  add_align_actions(work, all);
  add_measure_actions(work, all);
  add_cleanup_actions(work, all);
  all.push_back({"Show what is hidden", "Shift+H", scene.hidden > 0, step(plain<splat::edit::UnhideAll>)});
  all.push_back({"Unlock all splats", "Shift+K", scene.locked > 0, step(plain<splat::edit::UnlockAll>)});
  return all;
}

}  // namespace viewer
