#include "viewer/live/draw_picture.h"

#include <algorithm>
#include <chrono>

#include "splat/model/resized_camera.h"

namespace viewer {
namespace {

uint8_t to_byte(float value) { return uint8_t(std::clamp(value, 0.0f, 1.0f) * 255 + 0.5f); }

std::vector<uint8_t> opacity_to_rgba(const std::vector<float>& transmittance) {
  std::vector<uint8_t> rgba(transmittance.size() * 4);
  for (size_t i = 0; i < transmittance.size(); ++i) {
    const uint8_t opacity = to_byte(1 - transmittance[i]);
    rgba[i * 4] = rgba[i * 4 + 1] = rgba[i * 4 + 2] = opacity;
    rgba[i * 4 + 3] = 255;
  }
  return rgba;
}

}  // namespace

splat::View divided(const splat::View& view, int divisor) {
  const auto side = [&](int px) { return std::max(1, (px + divisor / 2) / divisor); };
  return {resized(view.camera, side(view.camera.width), side(view.camera.height)), view.cam_from_world};
}

std::vector<uint8_t> to_rgba(const splat::ImageF& image) {
  const size_t pixels = size_t(image.width) * size_t(image.height);
  std::vector<uint8_t> rgba(pixels * 4, 255);
  for (size_t channel = 0; channel < 3; ++channel) {
    const float* plane = &image.rgb[channel * pixels];
    for (size_t i = 0; i < pixels; ++i) rgba[i * 4 + channel] = to_byte(plane[i]);
  }
  return rgba;
}

splat::RenderSettings render_settings(const DisplaySettings& settings) {
  const auto [antialias, low_pass] = settings.filter;
  return {settings.sh_degree, antialias, settings.background, {}, low_pass};
}

EngineImage draw_picture(splat::Backend& backend, const RenderRequest& request, int divisor) {
  const auto start = std::chrono::steady_clock::now();
  EngineImage image;
  image.request = request;
  image.request.settings.splat_scale = 1;
  image.divisor = divisor;
  const splat::View view = divided(request.view, divisor);
  image.width = view.camera.width;
  image.height = view.camera.height;
  const DisplaySettings& wanted = request.settings;
  const bool opacity = wanted.mode == RenderMode::kOpacity, see_through = wanted.see_through && !opacity;
  splat::RenderSettings settings = render_settings(wanted);
  if (see_through) settings.background = {0, 0, 0};
  backend.forward(view, settings);
  std::vector<float> transmittance;
  if (opacity || see_through) backend.read_transmittance(transmittance);
  if (opacity) {
    image.rgba = opacity_to_rgba(transmittance);
  } else {
    image.request.settings.mode = RenderMode::kSplats;
    splat::ImageF picture;
    backend.read_image(picture);
    image.rgba = to_rgba(picture);
    for (size_t i = 0; see_through && i < transmittance.size(); ++i)
      image.rgba[4 * i + 3] = to_byte(1 - transmittance[i]);
  }
  image.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return image;
}

}  // namespace viewer
