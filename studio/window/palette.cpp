// The command palette (Ctrl+Shift+P): every action by its name, with its keys.
#include <imgui/imgui.h>
// Needs the one above.
#include <imgui/misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "studio/window/panels.h"
#include "studio/window/window_actions.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

// The action that was chosen; `first`: take the topmost.
std::function<void()> list(const std::vector<Action>& all, const std::string& typed, bool first) {
  std::function<void()> chosen;
  ImGui::BeginChild("actions", {0, 14 * ImGui::GetTextLineHeightWithSpacing()}, 0,
                    ImGuiWindowFlags_AlwaysVerticalScrollbar);
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  for (const Action& action : all) {
    if (!action.possible || !has_words(action.name, typed)) continue;
    if (ImGui::Selectable(action.name.c_str()) || (first && !chosen)) chosen = action.run;
    ImGui::SameLine(right - ImGui::CalcTextSize(action.keys.c_str()).x - ImGui::GetFontSize());
    ImGui::TextDisabled("%s", action.keys.c_str());
  }
  ImGui::EndChild();
  return chosen;
}

}  // namespace

void draw_palette(Workspace& work) {
  if (!begin_modal("All actions", work.dialogs.show_palette, 28)) return;
  if (ImGui::IsWindowAppearing()) {
    work.dialogs.palette_text.clear();
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-1);
  const bool entered = ImGui::InputTextWithHint("##typed", "type a part of its name", &work.dialogs.palette_text,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  const std::function<void()> chosen = list(all_actions(work), work.dialogs.palette_text, entered);
  if (chosen || work.dialogs.escaped) {
    work.dialogs.show_palette = false;
    ImGui::SetNavCursorVisible(false);  // Enter in a dialog that follows is its main button's
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  if (chosen) chosen();
}

}  // namespace studio
