#include "viewer/layers/engine_layer.h"

#include <utility>

#include "viewer/camera/camera_state.h"

namespace viewer {
namespace {

bool same_request(const RenderRequest& a, const RenderRequest& b) {
  return same_view(a.view, b.view) && a.settings == b.settings && a.moved == b.moved;
}

}  // namespace

splat::Status EngineLayer::build() {
  SPLAT_TRY(see_through_.build("layer.frag"));
  return opaque_.build("picture.frag");
}

void EngineLayer::clear() {
  texture_.clear();
  newest_ = {};
  asked_.reset();
}

void EngineLayer::set(EngineImage image) {
  texture_.set(image.width, image.height, 4, image.rgba.data());
  image.rgba = {};
  newest_ = std::move(image);
  ++pictures_;
}

void EngineLayer::ask_nothing() {
  if (asked_) requests_.put(std::nullopt);
  asked_.reset();
}

bool EngineLayer::update(const splat::View& view) {
  if (!look.shown) return ask_nothing(), false;
  const RenderRequest request{view, look.settings, look.moved};
  if (asked_ && same_request(*asked_, request)) return false;
  asked_ = request;
  requests_.put(request);
  return false;
}

bool EngineLayer::settled() const {
  if (!look.shown) return true;
  return asked_ && !texture_.empty() && newest_.divisor == 1 && same_request(newest_.request, *asked_);
}

// The picture is as it was asked for, which may be a moment ago.
void EngineLayer::draw(const splat::View&) {
  const bool blended = newest_.request.settings.see_through;
  (blended ? see_through_ : opaque_).draw_texture(texture_.texture(), 1, blended);
}

}  // namespace viewer
