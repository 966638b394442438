#include "io/reconstruction/reconstruction.h"

#include <algorithm>
#include <cmath>

#include "splat/model/camera_models.h"

namespace io {

void complete_camera(ReconstructionImage& image, int width, int height) {
  splat::SourceCamera& camera = image.camera;
  if (camera.width == 0) camera.width = width;
  if (camera.height == 0) camera.height = height;
  const splat::CameraModelInfo& info = camera_model_info(camera.model);
  if (info.is_panorama()) camera.params = {double(camera.width), double(camera.height)};
  const auto focal_px = [](int side, double angle) { return 0.5 * side / std::tan(0.5 * angle); };
  const size_t focals = info.focal_lengths();
  if (image.pending.angle_x) std::fill_n(camera.params.begin(), focals, focal_px(camera.width, *image.pending.angle_x));
  if (image.pending.angle_y) {
    const double focal = focal_px(camera.height, *image.pending.angle_y);
    if (!image.pending.angle_x) std::fill_n(camera.params.begin(), focals, focal);
    camera.params[focals - 1] = focal;
  }
  if (image.pending.principal_x) camera.params[focals] = 0.5 * camera.width;
  if (image.pending.principal_y) camera.params[focals + 1] = 0.5 * camera.height;
  image.pending = {};
}

}  // namespace io
