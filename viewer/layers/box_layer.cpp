#include "viewer/layers/box_layer.h"

#include "viewer/draw/splats_gl.h"

namespace viewer {

bool BoxLayer::update() {
  if (!std::exchange(replaced_, false)) return false;
  lines_.set(fresh_);
  return true;
}

void BoxLayer::draw(const splat::View& view) {
  shader_.use();
  set_camera(shader_, view);
  shader_.set("fade", 1.0f);
  lines_.draw_lines(shader_);
}

}  // namespace viewer
