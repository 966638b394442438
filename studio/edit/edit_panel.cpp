#include "studio/edit/edit_panel.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "studio/cleanup/cleanup_panel.h"
#include "studio/edit/align_panel.h"
#include "studio/edit/crop_panel.h"
#include "studio/edit/edit_histogram.h"
#include "studio/edit/measure_panel.h"
#include "studio/edit/object_list.h"
#include "studio/edit/transform_panel.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

// In the order of EditTool.
constexpr Offer kTools[] = {
    {"Rectangle", "Drag a rectangle. Shift adds, Ctrl removes, both intersect", "Rectangle tool", "R"},
    {"Lasso", "Drag around a part. Shift adds, Ctrl removes, both intersect", "Lasso tool", "L"},
    {"Polygon", "Click the corners; Enter, a double click or the first corner closes it. Shift adds, Ctrl removes",
     "Polygon tool", "P"},
    {"Brush", "Paint over a part; [ and ] change the size. Shift adds, Ctrl removes", "Brush tool", "B"},
    {"Colour", "Click a colour: splats like it are selected. Shift adds, Ctrl removes", "Colour tool", "C"},
    {"Flood", "Click an area of one colour: what is seen of it is selected. Shift adds, Ctrl removes, both intersect",
     "Flood tool", "O"},
    {"Sphere", "Drag from the middle of a sphere, which lies on what is seen there. Shift adds, Ctrl removes",
     "Sphere tool", "N"},
    {"Box", "Drag from the middle of a box along the axes of the world. Shift adds, Ctrl removes, both intersect",
     "Box tool", "Y"},
    {"Transform",
     "Move, turn (T again) or scale the selection, or all where nothing is selected. Ctrl snaps, Escape abandons a "
     "drag",
     "Transform tool", "T"},
    {"Crop box",
     "A box to select, delete or show by, and to train or mesh in: drag its faces, its arrows, or (J again) its rings",
     "Crop box tool", "J"},
    {"Measure", "Click points on the scene: the lengths between them are shown. Backspace removes the last one",
     "Measure tool", "M"},
    {"Align",
     "Click a point on one object, then the same on another, three times or more; Enter shows it, again applies",
     "Align tool", "U"},
    {"Look", "The left button moves the camera, as the right and middle ones always do", "Look tool", "V"},
};
static_assert(std::size(kTools) == size_t(EditTool::kLook) + 1);

// Whether there is what a step is for.
bool always(const EditedScene&) { return true; }
bool any_selected(const EditedScene& scene) { return scene.selected > 0; }
bool any_hidden(const EditedScene& scene) { return scene.hidden > 0; }
bool any_locked(const EditedScene& scene) { return scene.locked > 0; }
bool can_undo(const EditedScene& scene) { return !scene.undo.empty(); }
bool can_redo(const EditedScene& scene) { return !scene.redo.empty(); }

struct StepRow : Offer {  // no name: the window's own actions have it
  bool (*possible)(const EditedScene& scene);
  EditStep (*step)(const EditMode& edit);
};
template <class Step>
EditStep plain(const EditMode&) {
  return Step{};
}
template <class Step>
EditStep by_near(const EditMode& edit) {
  return Step{edit.near};
}
namespace step = splat::edit;
constexpr StepRow kSteps[] = {
    {{"Undo", "nothing to undo", nullptr, "Ctrl+Z"}, can_undo, plain<step::Undo>},
    {{"Redo", "nothing to redo", nullptr, "Ctrl+Shift+Z or Ctrl+Y"}, can_redo, plain<step::Redo>},
    {{"All", "Select all splats", "Select all splats", "Ctrl+A"}, always, plain<step::SelectAll>},
    {{"None", "Select nothing, as Escape does", "Select nothing", "Ctrl+Shift+A"},
     any_selected,
     plain<step::SelectNone>},
    {{"Invert", "Select the others instead", "Invert the selection", "I or Ctrl+I"},
     always,
     plain<step::InvertSelection>},
    {{"Grow", "Splats near a selected one join the selection", "Grow the selection", "+"},
     any_selected,
     by_near<step::GrowSelection>},
    {{"Shrink", "Selected splats near one that is not leave the selection", "Shrink the selection", "-"},
     any_selected,
     by_near<step::ShrinkSelection>},
    {{"Hide", "The selected splats are not shown until Unhide; they are saved all the same", "Hide the selected splats",
      "H"},
     any_selected,
     plain<step::HideSelected>},
    {{"Lock", "The selected splats cannot be selected until Unlock", "Lock the selected splats", "K"},
     any_selected,
     plain<step::LockSelected>},
    {{"Delete", "Delete the selected splats; Ctrl+Z brings them back", "Delete the selected splats", "Delete"},
     any_selected,
     plain<step::DeleteSelected>},
    {{"Duplicate", "Copies of the selected splats, which are selected instead", "Duplicate the selected splats",
      "Ctrl+D"},
     any_selected,
     plain<step::DuplicateSelected>},
    {{"Separate", "The selected splats become an object, which is listed below and can be saved alone",
      "Separate the selected splats", "Ctrl+J"},
     any_selected,
     plain<step::SeparateSelected>},
    {{"Unhide", "Show what is hidden", "Show what is hidden", "Shift+H"}, any_hidden, plain<step::UnhideAll>},
    {{"Unlock", "Locked splats can be selected again", "Unlock all splats", "Shift+K"},
     any_locked,
     plain<step::UnlockAll>},
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
  bool button(const Appearance& look, const std::string& label, const std::string& tip, bool marked = false) {
    const float width = ImGui::CalcTextSize(label.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (begun_ && ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right_) ImGui::SameLine();
    begun_ = true;
    return marked ? main_button(look, label.c_str(), tip.c_str(), 0) : viewer::button(label.c_str(), tip.c_str());
  }

 private:
  const float right_ = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool begun_ = false;
};

void tools(Workspace& work) {
  EditMode& edit = work.edit;
  Lines lines;
  for (size_t i = 0; i < std::size(kTools); ++i) {
    const bool chosen = edit.tool == EditTool(i);
    if (lines.button(work.appearance, kTools[i].button(), kTools[i].tip, chosen) && !chosen)
      choose_tool(work, EditTool(i));
  }
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

std::string tip_of(const StepRow& row, const EditedScene& scene) {
  const std::string what = row.possible == can_undo ? scene.undo : row.possible == can_redo ? scene.redo : "";
  const std::string named = std::string(row.label) + ": " + what;
  Offer offer = row;
  if (!what.empty()) offer.tip = named.c_str();
  return offer.tooltip();
}

void steps(Workspace& work) {
  const EditedScene& scene = *work.edit.scene;
  Lines lines;
  for (const StepRow& row : kSteps) {
    const bool possible = row.possible(scene);
    if (!possible && (row.possible == any_hidden || row.possible == any_locked)) continue;
    ImGui::BeginDisabled(!possible);
    if (lines.button(work.appearance, row.button(), tip_of(row, scene))) send_edit(work, {row.step(work.edit)});
    ImGui::EndDisabled();
  }
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

// What is there for the tool that is chosen comes before all others.
bool tool_key(Workspace& work, const std::string& keys, const std::string& key) {
  EditMode& edit = work.edit;
  std::vector<Action> actions;
  if (edit.tool == EditTool::kCrop) add_crop_actions(work, actions);
  if (edit.tool == EditTool::kAlign) add_align_actions(work, actions);
  if (run_offered(actions, keys) || align_key(work, key) || measure_key(work, key)) return true;
  if (edit.tool == EditTool::kBrush && (key == "[" || key == "]")) return edit.step_brush(key == "[" ? -1 : 1), true;
  if (key == "Enter" && edit.close_polygon({keys != key, false, false}, work.look.navigator.view()))
    if (auto step = edit.take_step()) return send_edit(work, {std::move(*step)}), true;
  return false;
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

std::string edit_hint(const EditMode& edit) { return kTools[size_t(edit.tool)].tip; }

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

bool edit_key(Workspace& work, const std::string& keys) {
  EditMode& edit = work.edit;
  const std::string key = without_shift(keys);
  if (edit.crop.dragging() && key == "Escape") return edit.crop.abandon(), true;
  if (!work.edits() && work.crops() && kTools[size_t(EditTool::kCrop)].has(key)) return edit.crop.next_kind(), true;
  if (!work.edits() || !edit.scene || keys.empty()) return false;
  if (edit.transform.dragging()) {  // nothing else until the handle is let go
    if (key == "Escape") edit.transform.abandon(), work.look.changed = true;
    return true;
  }
  if (tool_key(work, keys, key)) return true;
  for (const std::string& one : {keys, key})  // Shift counts where a step has it
    for (const StepRow& row : kSteps)
      if (row.has(one)) return send_edit(work, {row.step(edit)}), true;
  for (size_t i = 0; i < std::size(kTools); ++i)
    if (kTools[i].has(key)) return choose_tool(work, EditTool(i)), true;
  if (key == "X") return edit.visible = !edit.visible, true;
  if (key == "Escape" && edit.drawing()) return edit.cancel_shape(), true;
  if (key == "Escape" && edit.scene->selected > 0) return send_edit(work, {splat::edit::SelectNone{}}), true;
  return false;
}

std::vector<Action> edit_actions(Workspace& work) {
  if (!work.edits() || !work.edit.scene) return {};
  std::vector<Action> all;
  for (size_t i = 0; i < std::size(kTools); ++i)
    all.push_back({kTools[i].name, kTools[i].keys, true, [&work, i] { choose_tool(work, EditTool(i)); }});
  for (const StepRow& row : kSteps)
    if (row.name)
      all.push_back({row.name, row.first_keys(), row.possible(*work.edit.scene),
                     [&work, &row] { send_edit(work, {row.step(work.edit)}); }});
  add_crop_actions(work, all);
  add_align_actions(work, all);
  add_measure_actions(work, all);
  add_cleanup_actions(work, all);
  return all;
}

}  // namespace viewer
