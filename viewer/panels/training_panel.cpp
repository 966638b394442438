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
  draw_comparison(work, true);
  if (!work.training_active() && section("Train again", false)) draw_training_settings(work);
}

}  // namespace viewer
