#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace viewer {

void draw_training_panel(Workspace& work) {
  const RunStatus status = work.training.status;
  if (status == RunStatus::kNone) {
    draw_training_settings(work);
    return;
  }
  draw_training_run(work);
  if (work.compared_view >= 0 && section("Held-out photo")) draw_comparison(work);
  if (!work.training_active() && section("Train again", false)) draw_training_settings(work);
}

}  // namespace viewer
