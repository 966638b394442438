#include "viewer/widgets/icon_button.h"

#include <algorithm>

namespace viewer {

float icon_cell(const Appearance& look, int count, float room, float gap) {
  constexpr float kLeast = 8;  // px: something to press in whatever window
  const float fits = (room - float(count - 1) * gap) / float(count);
  return std::max(std::min(fits, kIconCell * look.scale), kLeast);
}

bool icon_button(const Appearance& look, const char* icon, const char* name, const std::string& tip, bool on,
                 float cell) {
  constexpr float kShare = 0.62f;  // of the cell
  const std::array<float, 4>& accent = look.colours().accent;
  ImGui::PushID(name);
  ImGui::PushFont(nullptr, kShare * cell / ImGui::GetStyle().FontScaleMain);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
  if (on) {
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
  }
  const bool pressed = ImGui::Button(icon, {cell, cell});
  if (on) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float thick = 2 * look.scale;
    ImGui::GetWindowDrawList()->AddRectFilled({low.x, high.y - thick}, high, packed(accent));
    ImGui::PopStyleColor(2);
  }
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::PopID();
  note_place(name);
  tooltip(tip.c_str());
  return pressed;
}

}  // namespace viewer
