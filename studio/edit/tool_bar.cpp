#include "studio/edit/tool_bar.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "studio/edit/align_panel.h"
#include "studio/edit/crop_panel.h"
#include "studio/edit/measure_panel.h"
#include "studio/edit/tools.h"
#include "studio/edit/transform_panel.h"
#include "viewer/widgets/icon_button.h"

namespace studio {
namespace {

constexpr float kMargin = 4, kGap = 2;          // px at scale 1, around the cells and between them
constexpr size_t kCells = kEditTools + 1;       // and Clean up
constexpr float kStripHeight = 26 + 2 * 5 + 1;  // px at scale 1: a row of fields, its margins and a line

size_t columns_in(float height, float scale) {
  const float cell = (kIconCell + kGap) * scale;
  const size_t rows = std::max<size_t>(1, size_t(std::max(0.0f, (height - 2 * kMargin * scale + kGap * scale) / cell)));
  return (kCells + rows - 1) / rows;
}

void brush_options(EditMode& edit) {
  ImGui::SameLine();
  ImGui::SetNextItemWidth(11 * ImGui::GetFontSize());
  slider("##brush", &edit.brush_px, {EditMode::kSmallestBrush, EditMode::kLargestBrush, 40, "%.0f px", true});
  tooltip("Radius of the brush, px ([ and ]). Default 40");
}

void tolerance_options(EditMode& edit) {
  ImGui::SameLine();
  ImGui::SetNextItemWidth(11 * ImGui::GetFontSize());
  slider("##tolerance", &edit.tolerance, {0.01f, 0.5f, 0.1f});
  tooltip("Tolerance: how much red, green and blue may differ, 0 to 1. Default 0.1");
}

void depth_options(EditMode& edit) {
  ImGui::SameLine();
  if (toggle_button("Visible", "Shapes select the splats that are seen in them (X switches)", edit.visible))
    edit.visible = true;
  ImGui::SameLine();
  if (toggle_button("Through", "Shapes select everything whose centre lies behind them, seen or not (X switches)",
                    !edit.visible))
    edit.visible = false;
}

void options(Workspace& work) {
  EditMode& edit = work.edit;
  switch (edit.tool) {
    case EditTool::kBrush:
      depth_options(edit);
      return brush_options(edit);
    case EditTool::kFlood:
      depth_options(edit);
      return tolerance_options(edit);
    case EditTool::kRectangle:
    case EditTool::kLasso:
    case EditTool::kPolygon:
      return depth_options(edit);
    case EditTool::kColour:
      ImGui::BeginDisabled();  // it takes all of a colour; the tolerance stands where it does for flooding
      depth_options(edit);
      ImGui::EndDisabled();
      return tolerance_options(edit);
    case EditTool::kTransform:
      return draw_transform_options(work);
    case EditTool::kCrop:
      return draw_crop_options(work);
    case EditTool::kMeasure:
      return draw_measure_options(work);
    case EditTool::kAlign:
      return draw_align_options(work);
    case EditTool::kSphere:
    case EditTool::kBox:
    case EditTool::kLook:
      return strip_text(work, tool_row(edit.tool).tip);
  }
}

}  // namespace

ToolRoom take_tool_room(Area& scene, float scale) {
  ToolRoom room;
  room.strip = {scene.x, scene.y, scene.width, std::min(std::round(kStripHeight * scale), scene.height)};
  scene.y += room.strip.height;
  scene.height = std::max(scene.height - room.strip.height, 1.0f);
  const float columns = float(columns_in(scene.height, scale));
  const float width = std::round((columns * (kIconCell + kGap) - kGap + 2 * kMargin) * scale);
  room.bar = {scene.x, scene.y, std::min(width, scene.width), scene.height};
  scene.x += room.bar.width;
  scene.width = std::max(scene.width - room.bar.width, 1.0f);
  return room;
}

void draw_tool_bar(Workspace& work) {
  const Appearance& look = work.appearance;
  const size_t columns = columns_in(ImGui::GetWindowHeight(), look.scale);
  ImGui::BeginDisabled(!work.edit.scene);
  for (size_t i = 0; i < kCells; ++i) {
    if (i % columns != 0) ImGui::SameLine();
    if (i == kEditTools) {
      if (icon_button(look, icon::kClean, "Clean up tool", "Clean up: what the photos say does not belong", false,
                      kIconCell * look.scale))
        work.edit.cleanup.unfold = true;
      break;
    }
    const ToolRow& row = tool_row(EditTool(i));
    const bool chosen = work.edit.tool == EditTool(i);
    if (icon_button(look, row.icon, row.button().c_str(), std::string(row.label) + ": " + row.tooltip(), chosen,
                    kIconCell * look.scale) &&
        !chosen)
      choose_tool(work, EditTool(i));
  }
  ImGui::EndDisabled();
}

void draw_tool_strip(Workspace& work) {
  // As much for every name, so that what follows keeps its place; none where there is little.
  constexpr float kNameEms = 6.5f, kIconEms = 2, kNarrowEms = 30;
  if (!work.edit.scene) return faint_text(work.appearance, "Preparing...");
  const ToolRow& row = tool_row(work.edit.tool);
  const float start = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  const bool narrow = ImGui::GetWindowWidth() < kNarrowEms * ImGui::GetFontSize();
  ImGui::TextUnformatted((row.icon + (narrow ? "" : std::string("  ") + row.label)).c_str());
  tooltip(row.tooltip().c_str());
  ImGui::SameLine(start + (narrow ? kIconEms : kNameEms) * ImGui::GetFontSize());
  ImGui::Dummy({0, ImGui::GetFrameHeight()});
  options(work);
}

// Over the lower end of the panel where it has no room, so that they are in sight and nothing else moves; what they
// cover can be scrolled out from under them. Not where they are more than half of it.
void draw_tool_details(Workspace& work) {
  const EditTool tool = work.edit.tool;
  const bool has_fields = tool == EditTool::kCrop || tool == EditTool::kMeasure || tool == EditTool::kAlign;
  if (!work.edit.scene || !has_fields) return;
  constexpr float kHeadingRows = 1.4f, kRows = 6, kTextRows = 2;  // kRows: that the longest of them has
  bool& folded = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("folded tool"));
  const bool text = tool == EditTool::kAlign && work.edit.scene->objects.size() < 2;
  const float rows = kHeadingRows + (folded ? 0 : text ? kTextRows : kRows);
  const float height = rows * ImGui::GetFrameHeightWithSpacing();
  const float panel = ImGui::GetWindowHeight(), lowest = ImGui::GetWindowPos().y + panel - height;
  const float pad = ImGui::GetStyle().WindowPadding.x, width = ImGui::GetContentRegionAvail().x;
  const ImVec2 below = ImGui::GetCursorScreenPos();
  const bool covers = 2 * height < panel && below.y > lowest;
  ImGui::SetCursorScreenPos({below.x - pad, covers ? lowest : below.y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetStyleColorVec4(ImGuiCol_WindowBg));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad, 0});
  ImGui::BeginChild("tool", {width + 2 * pad, height},
                    ImGuiChildFlags_NavFlattened | ImGuiChildFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  folded = !section(tool_row(tool).label);
  if (!folded && tool == EditTool::kMeasure) draw_measure_panel(work);
  if (!folded && tool == EditTool::kAlign) draw_align_panel(work);
  if (!folded && tool == EditTool::kCrop) draw_crop_panel(work);
  ImGui::EndChild();
  ImGui::SetCursorScreenPos(below);
  ImGui::Dummy({0, height});
}

}  // namespace studio
