// A mesh over the splats that it was made of, or by itself.
#include <utility>

#include "viewer/workspace.h"

namespace viewer {

void Workspace::take_mesh(ShownMesh&& made) {
  const bool alone = !received.splats && !received.dataset && !received.live();
  drop_mesh();
  if (alone) set_scene(made.bounds, made.up, {});
  if (alone) look.at_scene(settings.navigation.fov_y_deg);
  received.mesh = std::move(made);
  ++received.mesh_loaded;
  look.mesh.shown = true;
  look.photo_blend = 0;  // which would cover it
  look.changed = true;
}

void Workspace::drop_mesh() {
  if (!received.mesh) return;
  disposal.add(std::move(*received.mesh));
  received.mesh.reset();
  ++received.mesh_loaded;
  look.changed = true;
}

void Workspace::close_mesh() {
  drop_mesh();
  ask(CloseMesh{});
}

// Predicts for the dialog's present choices, once they have been left alone for a moment.
void Workspace::want_mesh_prediction() {
  constexpr double kLeftAlone = 0.5;  // s
  MeshOf wanted{dialogs.mesh, received.splats_loaded, edit.scenes};
  wanted.choices.faces = 0, wanted.choices.watertight = false;
  if (mesh_considered_ != wanted) {
    mesh_considered_ = wanted, mesh_considered_at_ = now;
    mesh_prediction_wanted_ = false;
    received.mesh_prediction.reset();
  }
  if (received.training_active() || mesh_prediction_wanted_ || now - mesh_considered_at_ < kLeftAlone) return;
  mesh_prediction_wanted_ = true;
  ask(WantMeshPrediction{dialogs.mesh});
}

bool Workspace::can_make_mesh() const {
  return received.progress.what.empty() && (received.live() || (received.splats && received.splat_rows > 0));
}

}  // namespace viewer
