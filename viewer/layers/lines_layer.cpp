#include "viewer/layers/lines_layer.h"

#include <algorithm>
#include <cmath>

#include "viewer/draw/splats_gl.h"

namespace viewer {

bool LinesLayer::update(const splat::View&) {
  if (!std::exchange(replaced_, false)) return false;
  lines_.set(fresh_);
  return true;
}

void LinesLayer::draw(const splat::View& view) {
  shader_.use();
  set_camera(shader_, view);
  shader_.set("fade", fade);
  shader_.set("nearest", std::max(nearest, near_plane));
  lines_.draw_lines(shader_);
}

void GridLayer::lie_below(const Bounds& bounds, const Vec3& up, double step, const Rgba& colour) {
  if (bounds.empty()) return;
  const Vec3 corner = bounds.high - bounds.low;
  const double below = 0.5 * (std::abs(corner.x * up.x) + std::abs(corner.y * up.y) + std::abs(corner.z * up.z));
  const Vec3 centre = bounds.centre() - below * up;
  const Ground ground{array3(centre), array3(up), step, colour};
  if (ground == ground_) return;
  ground_ = ground;
  set(grid_lines(centre, up, step, colour));
}

void CamerasLayer::set(std::span<const PhotoCamera> cameras, const Look& look) {
  if (look == look_) return;
  look_ = look;
  const auto& [training, held_out, current] = look.colours;
  LinesLayer::set(frustum_lines(cameras, look.size, look.current, {training, held_out, current}));
}

}  // namespace viewer
