#include "app/jobs/scene/first_look.h"

#include "app/jobs/scene/trained_scene.h"
#include "viewer/look.h"

namespace app {

std::optional<FirstLook> first_look(const SplatInput& input, int side, int threads) {
  const viewer::Bounds bounds = viewer::robust_bounds(input.file.gaussians);
  if (bounds.empty()) return std::nullopt;
  const TrainedScene trained = trained_scene_of(input.path, input.file.gaussians, threads);
  std::optional<viewer::Vec3> up;
  if (input.file.view_up) up = viewer::vec3(*input.file.view_up);
  viewer::Look look;
  look.navigator.set_viewport(side, side);
  look.navigator.set_scene(bounds, viewer::framed_bounds(input.file.gaussians));
  look.navigator.set_up(viewer::guess_up(up, trained.cameras, input.file.gaussians.means).up, false);
  if (trained.cameras.empty()) {
    look.at_scene(look.navigator.settings().fov_y_deg, input.file.front_at_z);
  } else {
    look.navigator.set_photo_cameras(trained.cameras);
    look.from_photo(0);
  }
  return FirstLook{look.navigator.view(), trained.background.value_or(viewer::kGreyBackdrop)};
}

}  // namespace app
