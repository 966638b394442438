#include <algorithm>

#include "viewer/panels/panels.h"
#include "viewer/widgets/widgets.h"

namespace viewer {

void draw_training_panel(Workspace& work) {
  if (work.received.dataset && work.received.dataset->growing) {
    fact("Cameras found", count_text(work.received.dataset->cameras.size()));
    fact("Points", count_text(work.received.dataset->points.size()));
    return faint_text(work.appearance, work.received.progress.what.empty()
                                           ? "The search has ended before its end: open the photos again to go on."
                                           : "More are being found. Training can start when that is done.");
  }
  const RunStatus status = work.received.training.status;
  if (!work.received.dataset && status == RunStatus::kNone) {  // the splats of a run
    if (section("Training")) draw_continue_button(work);
    return;
  }
  if (status == RunStatus::kNone) {
    // The button stays in sight, however long the list above it.
    const float rows = work.received.continuation() ? 3 : 1, lines = work.received.continuation() ? 3 : 2;
    const float footer = rows * ImGui::GetFrameHeightWithSpacing() + lines * ImGui::GetTextLineHeightWithSpacing() +
                         2 * ImGui::GetStyle().ItemSpacing.y;
    const float room = ImGui::GetContentRegionAvail().y - footer;
    ImGui::BeginChild("settings", {0, std::min(room, work.settings_height > 0 ? work.settings_height : room)});
    draw_training_settings(work);
    work.settings_height = ImGui::GetCursorPosY();
    ImGui::EndChild();
    ImGui::Spacing();
    draw_prediction(work);
    return draw_start_button(work);
  }
  draw_run_panel(work);
  if (!work.received.training_active() && work.received.dataset && section("Train again", false)) {
    draw_training_settings(work);
    draw_prediction(work);
    draw_start_button(work);
  }
}

}  // namespace viewer
