#include "viewer/live/model_variant.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "splat/math/sh.h"
#include "viewer/live/draw_picture.h"

namespace viewer {
namespace {

constexpr float kDotLogScale = -30;    // smaller than a pixel everywhere: the 2D low-pass makes it a dot
constexpr float kSolidLogit = 12;      // opaque
constexpr float kSolidShrink = -0.7f;  // ln: a solid body ends about where a splat has faded to a half
constexpr float kSeen = 0.05f;         // opacity of a pixel that has a depth

void add_to_all(std::vector<float>& values, float summand) {
  for (float& value : values) value += summand;
}

// Lowest finite corner and largest extent of the means.
PositionColours colours_for(const std::vector<float>& means) {
  PositionColours colours;
  float extent = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
    for (size_t i = axis; i < means.size(); i += 3)
      if (std::isfinite(means[i])) low = std::min(low, means[i]), high = std::max(high, means[i]);
    if (low > high) continue;
    colours.low[axis] = low;
    extent = std::max(extent, high - low);
  }
  colours.extent = extent > 0 && std::isfinite(extent) ? extent : 1;
  return colours;
}

void colour_by_position(splat::Gaussians& model, const PositionColours& colours) {
  model.sh_degree = 0;
  model.sh.resize(model.means.size());
  for (size_t i = 0; i < model.means.size(); ++i) {
    const float colour = (model.means[i] - colours.low[i % 3]) / colours.extent;
    model.sh[i] = (colour - 0.5f) / float(splat::math::kSh0);
  }
}

// Depth of each pixel along the view's axis; 0 where nothing is.
std::vector<float> depths(const splat::View& view, const splat::ImageF& picture,
                          const std::vector<float>& transmittance, const PositionColours& colours) {
  const auto& pose = view.cam_from_world;
  const size_t pixels = transmittance.size();
  std::vector<float> depth(pixels, 0);
  for (size_t i = 0; i < pixels; ++i) {
    const double opacity = 1 - double(transmittance[i]);
    if (opacity < kSeen) continue;
    std::array<double, 3> position;
    for (size_t axis = 0; axis < 3; ++axis)
      position[axis] = double(colours.low[axis]) + colours.extent * (picture.rgb[axis * pixels + i] / opacity);
    depth[i] = float(std::max((pose * position)[2], 1e-6));
  }
  return depth;
}

std::vector<uint8_t> depth_to_rgba(const std::vector<float>& depth) {
  float low = std::numeric_limits<float>::max(), high = 0;
  for (float d : depth)
    if (d > 0) low = std::min(low, d), high = std::max(high, d);
  const float log_low = std::log(std::max(low, 1e-6f)),
              span = std::max(std::log(std::max(high, 1e-6f)) - log_low, 1e-6f);
  std::vector<uint8_t> rgba(depth.size() * 4, 255);
  for (size_t i = 0; i < depth.size(); ++i) {
    const float near = depth[i] > 0 ? 1 - 0.9f * (std::log(depth[i]) - log_low) / span : 0;
    rgba[i * 4] = rgba[i * 4 + 1] = rgba[i * 4 + 2] = uint8_t(std::clamp(near, 0.0f, 1.0f) * 255 + 0.5f);
  }
  return rgba;
}

EngineImage draw_depth(splat::Backend& backend, const RenderRequest& request, int divisor,
                       const PositionColours& colours) {
  const auto start = std::chrono::steady_clock::now();
  EngineImage image;
  image.request = request;
  image.divisor = divisor;
  const splat::View view = divided(request.view, divisor);
  image.width = view.camera.width;
  image.height = view.camera.height;
  const auto [antialias, low_pass] = request.settings.filter;
  backend.forward(view, {0, antialias, {0, 0, 0}, {}, low_pass});
  splat::ImageF picture;
  std::vector<float> transmittance;
  backend.read_image(picture);
  backend.read_transmittance(transmittance);
  image.rgba = depth_to_rgba(depths(view, picture, transmittance, colours));
  image.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return image;
}

}  // namespace

ModelVariant variant_for(const DisplaySettings& settings) {
  const ModelKind kind = display_mode(settings.mode).model;
  return {kind, kind == ModelKind::kDots ? 1 : settings.splat_scale};  // dots have a size of their own
}

DisplaySettings live_settings(const DisplaySettings& settings) {
  DisplaySettings live = settings;
  live.splat_scale = 1;
  if (variant_for(live) != ModelVariant{}) live.mode = RenderMode::kSplats;
  return live;
}

splat::Gaussians make_variant(const splat::Gaussians& model, const ModelVariant& variant, PositionColours& colours) {
  splat::Gaussians made = model;
  if (variant.splat_scale != 1) add_to_all(made.log_scales, std::log(std::max(variant.splat_scale, 1e-6f)));
  switch (variant.kind) {
    case ModelKind::kPlain:
      break;
    case ModelKind::kDots:
      std::fill(made.log_scales.begin(), made.log_scales.end(), kDotLogScale);
      std::fill(made.logit_opacities.begin(), made.logit_opacities.end(), kSolidLogit);
      break;
    case ModelKind::kSolid:
      add_to_all(made.log_scales, kSolidShrink);
      std::fill(made.logit_opacities.begin(), made.logit_opacities.end(), kSolidLogit);
      break;
    case ModelKind::kPositions:
      colours = colours_for(made.means);
      colour_by_position(made, colours);
      break;
  }
  return made;
}

EngineImage draw_variant(splat::Backend& backend, const RenderRequest& request, int divisor,
                         const PositionColours& colours) {
  if (request.settings.mode == RenderMode::kDepth) return draw_depth(backend, request, divisor, colours);
  RenderRequest plain = request;
  if (request.settings.mode == RenderMode::kCentres) plain.settings.filter = {};  // dots of one size, and not dimmed
  EngineImage image = draw_picture(backend, plain, divisor);
  image.request = request;
  return image;
}

}  // namespace viewer
