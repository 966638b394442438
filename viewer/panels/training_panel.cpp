#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace viewer {

void draw_training_panel(Workspace& work) {
  const RunStatus status = work.training.status;
  const bool held_out = work.compared_view >= 0 && work.cameras()[size_t(work.compared_view)].held_out;
  const char* comparison = held_out ? "Held-out photo" : "Photo and splats";
  if (!work.dataset) {
    if (work.compared_view >= 0 && section(comparison)) draw_comparison(work);
    return;
  }
  if (status == RunStatus::kNone) {
    draw_training_settings(work);
    return;
  }
  draw_training_run(work);
  if (work.compared_view >= 0 && section(comparison)) draw_comparison(work);
  if (!work.training_active() && section("Train again", false)) draw_training_settings(work);
}

}  // namespace viewer
