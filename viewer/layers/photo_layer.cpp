#include "viewer/layers/photo_layer.h"

#include <cmath>

namespace viewer {

std::array<double, 4> photo_place(const splat::PinholeCamera& photo, const splat::View& view) {
  const double scale = double(view.camera.fx) / photo.fx;
  return {view.camera.cx - scale * photo.cx, view.camera.cy - scale * photo.cy, scale * photo.width,
          scale * photo.height};
}

void PhotoLayer::draw(const splat::View& view) {
  const auto [left, top, width, height] = photo_place(look.camera, view);
  glViewport(int(std::lround(left)), int(std::lround(top)), int(std::lround(width)), int(std::lround(height)));
  screen_.draw_texture(look.texture, look.weight, true);
  glViewport(0, 0, view.camera.width, view.camera.height);
}

void BackdropLayer::draw(const splat::View&) {
  screen_.shader.use();
  screen_.shader.set("above", 0.33f, 0.36f, 0.40f);
  screen_.shader.set("below", 0.10f, 0.11f, 0.13f);
  screen_.draw(false);
}

}  // namespace viewer
