#include "viewer/edit/edit_panel.h"
#include "viewer/panels/panels.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

std::string drawn_by(const Workspace& work, const Viewport& viewport) {
  if (!work.uses_engine())
    return "OpenGL" + (viewport.sort_ms() > 0 ? number_text(viewport.sort_ms(), ", sorted in %.0f ms") : "");
  std::string text = "engine" + (viewport.engine_ms() > 0 ? number_text(viewport.engine_ms(), ", %.0f ms") : "");
  if (viewport.engine_divisor() > 1) text += ", 1/" + std::to_string(viewport.engine_divisor()) + " size";
  return text;
}

std::string left_text(const Workspace& work) {
  if (!work.received.progress.what.empty()) {
    const std::string share =
        work.received.progress.fraction >= 0 ? number_text(100 * work.received.progress.fraction, " %.0f %%") : "...";
    return work.received.progress.what + share;
  }
  if (work.compare.on) return "drag the border; [ and ] step through the photos; K or Escape closes";
  if (work.edits()) return edit_hint(work.edit);
  if (const auto photo = work.look.navigator.photo())
    return "at photo " + work.received.cameras()[size_t(*photo)].name +
           (work.received.has_photos() ? "  (G blends it in, [ and ] step)" : "  ([ and ] step)");
  if (!work.received.log.empty() && work.received.log.back().kind != NoticeKind::kInfo)
    return work.received.log.back().text;
  if (!work.received.anything_open()) return "";
  return work.look.navigator.mode() == NavigationMode::kFly
             ? "fly: drag to look, WASD to move, V to orbit, F to frame, F1 for all keys"
             : "orbit: drag to turn, right drag to look, WASD to fly, F to frame, F1 for all keys";
}

}  // namespace

void draw_status_bar(Workspace& work, const Viewport& viewport, double frame_ms) {
  std::string right;
  if (work.received.anything_open()) {
    const size_t splats = work.received.live()   ? work.received.training.splats
                          : work.received.splats ? work.received.splats->gaussians.size()
                                                 : 0;
    if (splats > 0) right += count_text(splats) + " splats   " + drawn_by(work, viewport) + "   ";
  }
  right += number_text(frame_ms, "frame %.0f ms");
  const float width = ImGui::GetContentRegionAvail().x, right_width = ImGui::CalcTextSize(right.c_str()).x;
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float room = width - right_width - 2 * ImGui::GetFontSize();
  ImGui::PushClipRect(low, {low.x + room, low.y + 2 * ImGui::GetFontSize()}, true);
  ImGui::TextDisabled("%s", left_text(work).c_str());
  ImGui::PopClipRect();
  ImGui::SameLine(ImGui::GetCursorStartPos().x + width - right_width);
  ImGui::TextDisabled("%s", right.c_str());
}

}  // namespace viewer
