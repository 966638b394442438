// One picture drawn by a backend, as 8-bit RGBA.
#pragma once

#include "splat/backend/backend.h"
#include "viewer/live/engine_image.h"

namespace viewer {

// The view with its sides divided, at least 1 px each; the same field of view.
splat::View divided(const splat::View& view, int divisor);

// What the backend is to draw it with.
splat::RenderSettings render_settings(const DisplaySettings& settings);

// Draws the backend's model as it is: kSplats and kOpacity; other modes, and a splat scale, need a model made for them
// (model_variant.h), and are drawn as kSplats otherwise: EngineImage::request says what was drawn. The settings' SH
// degree, filter and background hold.
EngineImage draw_picture(splat::Backend& backend, const RenderRequest& request, int divisor);

// [H,W,4] 8 bit, clamped and rounded, opaque.
std::vector<uint8_t> to_rgba(const splat::ImageF& image);

}  // namespace viewer
