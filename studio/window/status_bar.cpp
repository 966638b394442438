#include <algorithm>

#include "studio/edit/edit_panel.h"
#include "studio/window/panels.h"
#include "viewer/widgets/widgets.h"

namespace viewer {
namespace {

constexpr double kMostFrames = 60;  // that the window draws in a second

// "28 fps, preview 1/4": what there is to see.
std::string speed(const Workspace& work, const Viewport& viewport, double frame_ms) {
  const EngineImage& drawn = viewport.engine().newest();
  const double ms = work.uses_engine() ? drawn.milliseconds : frame_ms;
  std::string text = ms > 0 ? number_text(std::min(1000 / ms, kMostFrames), "%.0f fps") : "";
  if (work.uses_engine() && drawn.divisor > 1) text += ", preview 1/" + std::to_string(drawn.divisor);
  return text;
}

size_t splats_of(const Workspace& work) {
  if (work.received.live()) return work.received.training.splats;
  return work.splats_left();
}

std::string details(const Workspace& work, const Viewport& viewport, double frame_ms) {
  std::string text = "Frames a second that this view can be drawn with.\n";
  if (work.uses_engine()) {
    const EngineImage& drawn = viewport.engine().newest();
    text += number_text(drawn.milliseconds, "Drawn by the engine in %.0f ms");
    if (drawn.divisor > 1)
      text += ", while it moves at 1/" + std::to_string(drawn.divisor) + " of its width and height";
    if (drawn.part > 0)
      text += ". Until it rests " + count_text(drawn.part) + " of " + count_text(splats_of(work)) +
              " splats stand for all of them, enlarged";
  } else {
    const double sort_ms = viewport.splats().sort_ms();
    text += "Drawn by OpenGL" + (sort_ms > 0 ? number_text(sort_ms, ", sorted in %.0f ms") : "");
  }
  return text + number_text(frame_ms, ".\nThe window itself takes %.0f ms a frame.");
}

std::string left_text(const Workspace& work) {
  if (!work.received.progress.what.empty()) {
    const std::string share =
        work.received.progress.fraction >= 0 ? number_text(100 * work.received.progress.fraction, " %.0f %%") : "...";
    return work.received.progress.what + share;
  }
  if (work.scene_covered()) return "drag the border; [ and ] step through the photos; K or Escape closes";
  if (work.edits()) return edit_hint(work.edit);
  if (const auto photo = work.look.navigator.photo())
    return "at photo " + work.received.cameras()[size_t(*photo)].name +
           (work.received.has_photos() ? "  (G blends it in, [ and ] step)" : "  ([ and ] step)");
  if (!work.received.message.empty()) return work.received.message;
  if (!work.received.anything_open()) return "";
  return work.look.navigator.mode() == NavigationMode::kFly
             ? "fly: drag to look, WASD to move, V to orbit, F to frame, F1 for all keys"
             : "orbit: drag to turn, right drag to look, WASD to fly, F to frame, F1 for all keys";
}

}  // namespace

void draw_status_bar(Workspace& work, const Viewport& viewport, double frame_ms) {
  std::string right;
  if (work.received.anything_open()) {
    if (const size_t splats = splats_of(work); splats > 0)
      right = count_text(splats) + " splats   " + speed(work, viewport, frame_ms);
  }
  const float width = ImGui::GetContentRegionAvail().x, right_width = ImGui::CalcTextSize(right.c_str()).x;
  const std::string left = left_text(work), shown = words_within(left, width - right_width - 2 * ImGui::GetFontSize());
  ImGui::TextDisabled("%s", shown.c_str());
  if (shown != left) tooltip(left.c_str());
  ImGui::SameLine(ImGui::GetCursorStartPos().x + width - right_width);
  ImGui::TextDisabled("%s", right.c_str());
  if (!right.empty()) tooltip(details(work, viewport, frame_ms).c_str());
}

}  // namespace viewer
