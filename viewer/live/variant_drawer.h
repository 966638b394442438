// Draws a model in every mode by a backend of its own, which is made when first needed; keeps the variant of the model
// (model_variant.h) that it uploaded last. Belongs to one thread. prepare() and draw() throw what the backend throws
// (DeviceError, std::bad_alloc); release() is in order then.
#pragma once

#include <functional>
#include <memory>
#include <optional>

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
  EngineImage draw(const RenderRequest& request, int divisor);  // prepared for its settings

  void forget_model() { uploaded_.reset(); }  // it has changed
  void release();                             // frees the backend and what it holds

 private:
  MakeBackend make_backend_;
  std::unique_ptr<splat::Backend> backend_;
  std::optional<ModelVariant> uploaded_;
  PositionColours colours_;
};

}  // namespace viewer
