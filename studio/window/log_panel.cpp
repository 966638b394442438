#include "studio/window/panels.h"
#include "viewer/widgets/widgets.h"

namespace studio {

void draw_log_panel(const Received& received, const Appearance& appearance) {
  const Palette& colours = appearance.colours();
  if (received.log.empty()) faint_text(appearance, "No messages yet.");
  for (const LogLine& line : received.log) {
    ImGui::TextDisabled("%s", line.time.c_str());
    ImGui::SameLine();
    if (line.kind == NoticeKind::kInfo) {
      ImGui::PushTextWrapPos(0);
      ImGui::TextUnformatted(line.text.c_str());
      ImGui::PopTextWrapPos();
    } else {
      coloured_text(line.kind == NoticeKind::kError ? colours.bad : colours.warning, line.text);
    }
  }
  if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY()) ImGui::SetScrollHereY(1);
}

}  // namespace studio
