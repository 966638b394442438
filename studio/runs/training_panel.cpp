#include <algorithm>

#include "studio/runs/feature.h"
#include "viewer/widgets/widgets.h"

namespace viewer {

void RunsFeature::draw_training() {
  if (work.received.dataset && work.received.dataset->growing) {
    fact("Cameras found", count_text(work.received.dataset->cameras.size()));
    fact("Points", count_text(work.received.dataset->points.size()));
    return faint_text(work.appearance, work.received.progress.what.empty()
                                           ? "The search has ended before its end: open the photos again to go on."
                                           : "More are being found. Training can start when that is done.");
  }
  const RunStatus status = work.received.training.status;
  if (!work.received.dataset && status == RunStatus::kNone) {  // the splats of a run
    if (section("Training")) draw_continue_button();
    return;
  }
  if (status == RunStatus::kNone) {
    // The button stays in sight, however long the list above it.
    const float rows = work.received.continuation() ? 3 : 1, lines = work.received.continuation() ? 3 : 2;
    const float footer = rows * ImGui::GetFrameHeightWithSpacing() + lines * ImGui::GetTextLineHeightWithSpacing() +
                         2 * ImGui::GetStyle().ItemSpacing.y;
    const float room = ImGui::GetContentRegionAvail().y - footer;
    ImGui::BeginChild("settings", {0, std::min(room, settings_height_ > 0 ? settings_height_ : room)});
    draw_settings();
    settings_height_ = ImGui::GetCursorPosY();
    ImGui::EndChild();
    ImGui::Spacing();
    draw_prediction();
    return draw_start_button();
  }
  draw_run();
  if (!work.received.training_active() && work.received.dataset && section("Train again", false)) {
    draw_settings();
    draw_prediction();
    draw_start_button();
  }
}

}  // namespace viewer
