#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "library/device.h"
#include "library/splat_arrays.h"
#include "library/structs.h"

namespace library {
namespace {

constexpr int kLargestSide = 16384;  // px

struct Outputs {
  float *rgb, *alpha, *depth;
};

hs_render_settings checked(const hs_render_settings* given) {
  const hs_render_settings settings = read_struct(given, "settings");
  if (std::min(settings.width, settings.height) < 1 || std::max(settings.width, settings.height) > kLargestSide)
    refuse("a picture of " + std::to_string(settings.width) + "x" + std::to_string(settings.height) +
           " px is not possible; sides are 1 to " + std::to_string(kLargestSide));
  if (settings.max_sh_degree < 0 || settings.max_sh_degree > splat::kMaxShDegree)
    refuse("max_sh_degree is " + std::to_string(settings.max_sh_degree) + "; it is 0 to " +
           std::to_string(splat::kMaxShDegree));
  if (settings.antialias < -1 || settings.antialias > 1)
    refuse("antialias is " + std::to_string(settings.antialias) + "; it is 1, 0 or -1 (as the splats say)");
  for (const float channel : settings.background)
    if (!std::isfinite(channel)) refuse("the background is not finite");
  if (settings.low_pass != -1 && (!(settings.low_pass >= 0) || !std::isfinite(settings.low_pass)))
    refuse("low_pass is not a number from 0 on, nor -1 (as the splats say)");
  return settings;
}

// Rows of a rotation, but for rounding; numbers that a float holds.
bool is_rotation(const double (&rows)[12]) {
  constexpr double kMostOff = 1e-3;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      double dot = 0;
      for (int k = 0; k < 3; ++k) dot += rows[4 * a + k] * rows[4 * b + k];
      if (!(std::abs(dot - (a == b ? 1 : 0)) <= kMostOff)) return false;
    }
  const auto minor = [&](int x, int y) { return rows[4 + x] * rows[8 + y] - rows[4 + y] * rows[8 + x]; };
  return rows[0] * minor(1, 2) - rows[1] * minor(0, 2) + rows[2] * minor(0, 1) > 0;
}

splat::View view_of(const hs_camera& camera, const hs_render_settings& settings, int index) {
  const std::string name = "camera " + std::to_string(index);
  for (const double value : {camera.fx, camera.fy, camera.cx, camera.cy, camera.cam_from_world[3],
                             camera.cam_from_world[7], camera.cam_from_world[11]})
    if (!std::isfinite(float(value))) refuse(name + " has a number that is not finite, or too large");
  if (!(float(camera.fx) > 0) || !(float(camera.fy) > 0)) refuse(name + " has a focal length that is not positive");
  if (!is_rotation(camera.cam_from_world))
    refuse(name + ": cam_from_world does not begin its rows with those of a rotation");
  splat::View view;
  view.camera = {settings.width,   settings.height,  float(camera.fx),
                 float(camera.fy), float(camera.cx), float(camera.cy)};
  for (size_t row = 0; row < 3; ++row) {
    std::copy_n(camera.cam_from_world + 4 * row, 3, &view.cam_from_world.rotation[3 * row]);
    view.cam_from_world.translation[row] = camera.cam_from_world[4 * row + 3];
  }
  return view;
}

std::vector<splat::View> views_of(const hs_camera* cameras, int32_t count, const hs_render_settings& settings) {
  if (count < 0) refuse("camera_count is " + std::to_string(count));
  if (count > 0) check_pointer(cameras, "cameras");
  std::vector<splat::View> views;
  for (int32_t c = 0; c < count; ++c) views.push_back(view_of(cameras[c], settings, c));
  return views;
}

void upload(hs_device& device, const hs_splats& splats) {
  if (splats.identity != 0 && splats.identity == device.resident) return;
  device.resident = 0;
  splat::Gaussians model;
  copy_rows(splats, 0, splats.count, model);
  device.backend->upload(model);
  device.resident = splats.identity;
}

// Planes become pixels of three channels.
void write_rgb(const splat::ImageF& image, float* rgb) {
  const size_t pixels = size_t(image.width) * size_t(image.height);
  for (size_t channel = 0; channel < 3; ++channel)
    for (size_t i = 0; i < pixels; ++i) rgb[3 * i + channel] = image.rgb[channel * pixels + i];
}

void read_pictures(splat::Backend& backend, const Outputs& out, size_t first_pixel) {
  std::vector<float> values;
  if (out.alpha) {
    backend.read_transmittance(values);
    std::transform(values.begin(), values.end(), out.alpha + first_pixel, [](float t) { return 1 - t; });
  }
  if (out.depth) {
    backend.read_depth(splat::DepthKind::kMean, values);
    std::copy(values.begin(), values.end(), out.depth + first_pixel);
  }
  if (!out.rgb) return;
  splat::ImageF image;
  backend.read_image(image);
  write_rgb(image, out.rgb + 3 * first_pixel);
}

void render(hs_device& device, const hs_splats& splats, const std::vector<splat::View>& views,
            const hs_render_settings& settings, const Outputs& out) {
  splat::RenderSettings drawn;
  drawn.sh_degree = settings.max_sh_degree;
  drawn.antialias = settings.antialias == -1 ? splats.antialiased == 1 : settings.antialias == 1;
  std::copy_n(settings.background, 3, drawn.background.begin());
  drawn.low_pass = settings.low_pass == -1 ? low_pass_of(splats) : settings.low_pass;
  const std::lock_guard lock(device.busy);
  try {
    upload(device, splats);
    size_t first_pixel = 0;
    for (const splat::View& view : views) {
      device.backend->forward(view, drawn);
      read_pictures(*device.backend, out, first_pixel);
      first_pixel += size_t(settings.width) * size_t(settings.height);
    }
  } catch (...) {  // whatever state that left
    device.resident = 0;
    throw;
  }
}

}  // namespace
}  // namespace library

extern "C" {

void hs_render_defaults(hs_render_settings* settings) {
  if (settings) *settings = {sizeof *settings, 0, 0, splat::kMaxShDegree, -1, {0, 0, 0}, -1};
}

hs_status hs_render(hs_device* device, const hs_splats* splats, const hs_camera* cameras, int32_t camera_count,
                    const hs_render_settings* settings, float* rgb, float* alpha, float* depth) {
  return library::guarded([&] {
    library::check_pointer(device, "device");
    const hs_splats given = library::checked_splats(splats);
    const hs_render_settings asked = library::checked(settings);
    library::render(*device, given, library::views_of(cameras, camera_count, asked), asked, {rgb, alpha, depth});
  });
}
}
