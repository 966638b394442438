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
  app.commands.put(CloseMesh{});
}

bool Workspace::can_make_mesh() const {
  return received.progress.what.empty() && (received.live() || (received.splats && received.splat_rows > 0));
}

}  // namespace viewer
