#include "tests/library/c_calls.h"

#include <hipsplat.h>

static hs_status save(const char* path) {
  static const float mean[3] = {0, 0, 2}, quat[4] = {1, 0, 0, 0}, size[3] = {-1, -1, -1}, opacity[1] = {4};
  static const float colour[3] = {1, 0, -1};
  hs_splats one = {0};
  one.struct_size = sizeof one;
  one.count = 1;
  one.means = mean;
  one.quats = quat;
  one.log_scales = size;
  one.logit_opacities = opacity;
  one.sh = colour;
  return hs_save(path, &one, NULL, NULL);
}

static hs_status draw(hs_device* device, hs_file* file, float* pixel) {
  const hs_camera camera = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 10, 10, 0.5, 0.5};
  hs_splats splats = {0};
  hs_render_settings settings;
  hs_status status;
  splats.struct_size = sizeof splats;
  status = hs_file_splats(file, &splats);
  hs_render_defaults(&settings);
  settings.width = settings.height = 1;
  return status ? status : hs_render(device, &splats, &camera, 1, &settings, pixel, NULL, NULL);
}

const char* draw_in_c(const char* path) {
  hs_device* device = NULL;
  hs_file* file = NULL;
  float pixel[3] = {0, 0, 0};
  hs_status status = save(path);
  if (!status) status = hs_load(path, &file);
  if (!status) status = hs_device_open(NULL, &device);
  if (!status) status = draw(device, file, pixel);
  hs_file_free(file);
  hs_device_close(device);
  if (status) return hs_error();
  return pixel[0] > 0.7f && pixel[0] < 0.8f && pixel[2] < 0.3f ? NULL : "the splat is not in the picture";
}
