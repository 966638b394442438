#include "viewer/live/variant_drawer.h"

#include "splat/core/check.h"

namespace viewer {

splat::Status VariantDrawer::prepare(const DisplaySettings& settings, const splat::Gaussians& model) {
  if (!backend_) {
    SPLAT_ASSIGN_OR_RETURN(backend_, make_backend_());
  }
  const ModelVariant variant = variant_for(settings);
  if (uploaded_ == variant) return {};
  uploaded_.reset();  // an upload that throws leaves nothing to draw
  if (variant == ModelVariant{})
    backend_->upload(model);
  else
    backend_->upload(make_variant(model, variant, colours_));
  uploaded_ = variant;
  return {};
}

EngineImage VariantDrawer::draw(const RenderRequest& request, int divisor) {
  SPLAT_CHECK(prepared_for(request.settings));
  return draw_variant(*backend_, request, divisor, colours_);
}

void VariantDrawer::release() {
  backend_.reset();
  uploaded_.reset();
}

}  // namespace viewer
