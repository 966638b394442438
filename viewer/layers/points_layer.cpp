#include "viewer/layers/points_layer.h"

#include <algorithm>

#include "viewer/draw/splats_gl.h"

namespace viewer {

void PointsLayer::set(const splat::PointCloud* points, uint64_t number) {
  points_ = points;
  uploading_ = points && (uploading_ || number_ != number);
  if (number_ == number) return;
  number_ = number, sent_ = 0;
  set_.clear();
}

bool PointsLayer::update(const splat::View&) {
  constexpr size_t kUploadPoints = 400'000;  // a frame
  if (!uploading_) return false;
  if (sent_ == 0) set_.reserve(points_->size());
  const size_t end = std::min(points_->size(), sent_ + kUploadPoints);
  set_.append(point_vertices(*points_, sent_, end));
  sent_ = end;
  uploading_ = end < points_->size();
  return true;
}

void PointsLayer::draw(const splat::View& view) {
  shader_.use();
  set_camera(shader_, view);
  shader_.set("fade", 1.0f);
  shader_.set("nearest", near_plane);
  set_.draw_points(shader_);
}

}  // namespace viewer
