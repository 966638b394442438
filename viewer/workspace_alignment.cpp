// Photos whose cameras are being found: the question, and the scene as it grows.
#include <utility>

#include "viewer/workspace.h"

namespace viewer {

void Workspace::take_unaligned(UnalignedPhotos&& question) {
  dialogs.alignment.input = question.input;
  dialogs.alignment.scene = question.scene;
  dialogs.unaligned = std::move(question);
  dialogs.show_alignment = true;
}

// The view follows the scene until the user moves it.
void Workspace::take_growing(OpenedDataset&& opened) {
  const bool first = !received.dataset || !received.dataset->growing;
  if (first) {
    drop_splats();
    drop_mesh();
    ++received.splats_loaded;
    received.engine_image.reset();
    forget_photos();
    received.training = {};
  }
  const bool follow = first || same_camera(look.navigator.camera(), framed_);
  look.navigator.set_photo_cameras(opened.cameras);
  if (follow)
    set_scene(opened.bounds, opened.up, opened.memory);
  else
    look.navigator.set_scene(opened.bounds);
  received.dataset = std::move(opened);
  ++received.cameras_changed;
  ++received.dataset_loaded;
  look.changed = true;
  if (follow) look.at_scene(settings.navigation.fov_y_deg);
  if (follow) framed_ = look.navigator.camera();
}

}  // namespace viewer
