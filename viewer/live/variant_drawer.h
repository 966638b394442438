// Draws a model in every mode by a backend of its own, which is made when first needed; keeps the variant of the model
// (model_variant.h) that it uploaded last, and how the states of its rows are shown. Belongs to one thread. prepare(),
// show() and draw() throw what the backend throws (DeviceError, std::bad_alloc); release() is in order then.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "viewer/live/engine_image.h"
#include "viewer/live/model_variant.h"

namespace viewer {

class VariantDrawer {
 public:
  using MakeBackend = std::function<splat::Result<std::unique_ptr<splat::Backend>>()>;
  explicit VariantDrawer(MakeBackend make_backend) : make_backend_(std::move(make_backend)) {}

  bool prepared_for(const DisplaySettings& settings) const { return uploaded_ == variant_for(settings); }
  // Uploads what these settings need of the model unless it is there. An error: the backend cannot be made.
  splat::Status prepare(const DisplaySettings& settings, const splat::Gaussians& model);
  // The same for a model that is edited: states [N], or none. Of the splats as they are only the rows whose state has
  // changed are written again, other variants are uploaded anew.
  splat::Status prepare(const DisplaySettings& settings, const splat::Gaussians& model,
                        std::span<const uint8_t> states);
  EngineImage draw(const RenderRequest& request, int divisor);  // prepared for its settings
  splat::Backend& backend() { return *backend_; }               // once prepared

  void forget_model() { uploaded_.reset(); }  // it has changed
  void release();                             // frees the backend and what it holds

 private:
  void show(const splat::Gaussians& model, std::span<const uint8_t> states);

  MakeBackend make_backend_;
  std::unique_ptr<splat::Backend> backend_;
  std::optional<ModelVariant> uploaded_;
  std::vector<uint8_t> shown_;  // [N] kShownStates of the rows as they were uploaded or written; empty: all 0
  PositionColours colours_;
};

}  // namespace viewer
