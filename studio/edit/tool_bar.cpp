#include "studio/edit/tool_bar.h"

#include <imgui/imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "viewer/widgets/icon_button.h"

namespace studio {
namespace {

constexpr float kMargin = 4, kGap = 2;          // px at scale 1, around the cells and between them
constexpr float kStripHeight = 26 + 2 * 5 + 1;  // px at scale 1: a row of fields, its margins and a line

// The columns that the tools and Clean up take.
size_t columns_in(const Workspace& work, float height) {
  const float scale = work.appearance.scale;
  const float cell = (kIconCell + kGap) * scale;
  const size_t rows = std::max<size_t>(1, size_t(std::max(0.0f, (height - 2 * kMargin * scale + kGap * scale) / cell)));
  return (work.edit.tools.size() + rows) / rows;
}

}  // namespace

ToolRoom take_tool_room(const Workspace& work, Area& scene) {
  const float scale = work.appearance.scale;
  ToolRoom room;
  room.strip = {scene.x, scene.y, scene.width, std::min(std::round(kStripHeight * scale), scene.height)};
  scene.y += room.strip.height;
  scene.height = std::max(scene.height - room.strip.height, 1.0f);
  const float columns = float(columns_in(work, scene.height));
  const float width = std::round((columns * (kIconCell + kGap) - kGap + 2 * kMargin) * scale);
  room.bar = {scene.x, scene.y, std::min(width, scene.width), scene.height};
  scene.x += room.bar.width;
  scene.width = std::max(scene.width - room.bar.width, 1.0f);
  return room;
}

void draw_tool_bar(Workspace& work) {
  const Appearance& look = work.appearance;
  const size_t columns = columns_in(work, ImGui::GetWindowHeight());
  ImGui::BeginDisabled(!work.edit.scene);
  size_t cells = 0;
  const auto cell = [&](const char* icon, const std::string& name, const std::string& tip, bool on) {
    if (cells++ % columns != 0) ImGui::SameLine();
    return icon_button(look, icon, name.c_str(), tip, on, kIconCell * look.scale);
  };
  for (const auto& tool : work.edit.tools) {
    const bool chosen = tool.get() == &work.edit.tool();
    const std::string tip = std::string(tool->offer.label) + ": " + tool->offer.tooltip();
    if (cell(tool->icon, tool->offer.button(), tip, chosen) && !chosen) choose_tool(work, *tool);
  }
  if (cell(icon::kClean, "Clean up tool", "Clean up: what the photos say does not belong", false))
    work.edit.cleanup.unfold = true;
  ImGui::EndDisabled();
}

void draw_tool_strip(Workspace& work) {
  // As much for every name, so that what follows keeps its place; none where there is little.
  constexpr float kNameEms = 6.5f, kIconEms = 2, kNarrowEms = 30;
  if (!work.edit.scene) return faint_text(work.appearance, "Preparing...");
  Tool& tool = work.edit.tool();
  const float start = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  const bool narrow = ImGui::GetWindowWidth() < kNarrowEms * ImGui::GetFontSize();
  ImGui::TextUnformatted((tool.icon + (narrow ? "" : std::string("  ") + tool.offer.label)).c_str());
  tooltip(tool.offer.tooltip().c_str());
  ImGui::SameLine(start + (narrow ? kIconEms : kNameEms) * ImGui::GetFontSize());
  ImGui::Dummy({0, ImGui::GetFrameHeight()});
  tool.draw_strip(work);
}

// Over the lower end of the panel where it has no room, so that they are in sight and nothing else moves; what they
// cover can be scrolled out from under them. Not where they are more than half of it.
void draw_tool_details(Workspace& work) {
  Tool& tool = work.edit.tool();
  if (!work.edit.scene || tool.panel_rows(work) <= 0) return;
  constexpr float kHeadingRows = 1.4f;
  bool& folded = *ImGui::GetStateStorage()->GetBoolRef(ImGui::GetID("folded tool"));
  const float rows = kHeadingRows + (folded ? 0 : tool.panel_rows(work));
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
  folded = !section(tool.offer.label);
  if (!folded) tool.draw_panel(work);
  ImGui::EndChild();
  ImGui::SetCursorScreenPos(below);
  ImGui::Dummy({0, height});
}

}  // namespace studio
