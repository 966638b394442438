// Render modes that a backend lacks, drawn with a changed model: centres as dots, splats as solid bodies, and positions
// as colours, from which the depth of every pixel follows for any view.
#pragma once

#include "splat/backend/backend.h"
#include "viewer/display_modes.h"
#include "viewer/live/engine_image.h"

namespace viewer {

// Which model a picture needs; two settings with the same variant can share an upload.
struct ModelVariant {
  ModelKind kind = ModelKind::kPlain;
  float splat_scale = 1;
  friend bool operator==(const ModelVariant&, const ModelVariant&) = default;
};
ModelVariant variant_for(const DisplaySettings& settings);

// The nearest settings that need no other model: those that a run can be drawn with while it trains.
DisplaySettings live_settings(const DisplaySettings& settings);

// The affine map of positions to the colours of kPositions: colour = (position - low) / extent, each 0 or more.
struct PositionColours {
  std::array<float, 3> low{0, 0, 0};
  float extent = 1;  // world units
};

splat::Gaussians make_variant(const splat::Gaussians& model, const ModelVariant& variant, PositionColours& colours);

// The picture for `request` from a backend that holds the variant for its settings; depth is grey, near bright, between
// the nearest and the farthest pixel in sight.
EngineImage draw_variant(splat::Backend& backend, const RenderRequest& request, int divisor,
                         const PositionColours& colours);

}  // namespace viewer
