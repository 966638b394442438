#include "splat/core/counted.h"
#include "studio/window/panels.h"
#include "studio/window/run_progress.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

std::string speed(const Workspace& work, const Viewport& viewport, double frame_ms) {
  const bool moves = work.look.navigator.moving() || work.plays;
  if (!work.uses_engine()) return speed_text(frame_ms, 1, moves);
  const EngineImage& drawn = viewport.engine().newest();
  return speed_text(drawn.milliseconds, drawn.divisor, moves);
}

size_t splats_of(const Workspace& work) {
  if (work.received.live()) return work.received.training.splats;
  return work.splats_left();
}

std::string details(const Workspace& work, const Viewport& viewport, double frame_ms) {
  std::string text = "While the view moves: frames a second that it can be drawn with.\n";
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
  for (const auto& feature : work.features)
    if (feature->covers_scene()) return feature->covering_hint();
  if (work.edits()) return work.edit.tool().offer.tip;
  if (const auto photo = work.look.navigator.photo())
    return "at photo " + work.received.cameras()[size_t(*photo)].name +
           (work.received.has_photos() ? "  (G blends it in, [ and ] step)" : "  ([ and ] step)");
  if (!work.received.message.empty()) return work.received.message;
  if (!work.received.anything_open()) return "";
  return work.look.navigator.mode() == NavigationMode::kFly
             ? "fly: drag to look, WASD to move, V to orbit, F to frame, F1 for all keys"
             : "orbit: drag to turn, right drag to look, WASD to fly, F to frame, F1 for all keys";
}

// Along the upper edge, so that it stays when the panels are hidden.
void run_bar(const Workspace& work) {
  if (!work.received.training_active()) return;
  const ImVec2 low = ImGui::GetWindowPos();
  const float width = ImGui::GetWindowWidth(), height = 2 * work.appearance.scale;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, {low.x + width, low.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg));
  list.AddRectFilled(low, {low.x + width * run_share(work.received.training), low.y + height},
                     packed(work.appearance.colours().accent));
}

}  // namespace

void draw_status_bar(Workspace& work, const Viewport& viewport, double frame_ms) {
  run_bar(work);
  std::string right = progress_line(work.received.training);
  if (work.received.anything_open()) {
    if (const size_t splats = splats_of(work); splats > 0) {
      if (right.empty()) right = count_text(splats) + " " + splat::noun(splats, "splat");
      if (const std::string text = speed(work, viewport, frame_ms); !text.empty()) right += "   " + text;
    }
  }
  const float width = ImGui::GetContentRegionAvail().x, right_width = ImGui::CalcTextSize(right.c_str()).x;
  const std::string left = as_sentence(left_text(work)),
                    shown = words_within(left, width - right_width - 2 * ImGui::GetFontSize());
  ImGui::TextDisabled("%s", shown.c_str());
  if (shown != left) tooltip(left.c_str());
  ImGui::SameLine(ImGui::GetCursorStartPos().x + width - right_width);
  ImGui::TextDisabled("%s", right.c_str());
  if (!right.empty()) tooltip(details(work, viewport, frame_ms).c_str());
}

}  // namespace studio
