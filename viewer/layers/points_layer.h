// The points that a dataset starts from.
#pragma once

#include <cstddef>
#include <cstdint>

#include "viewer/draw/gl_objects.h"
#include "viewer/draw/lines.h"
#include "viewer/layers/layer.h"

namespace viewer {

class PointsLayer final : public Layer {
 public:
  // null: no more come. number: counts up with every other cloud, which takes the place of what there is.
  void set(const splat::PointCloud* points, uint64_t number);

  splat::Status build() override { return shader_.build("lines.vert", "lines.frag"); }
  bool update(const splat::View& view) override;
  bool busy() const override { return shown && uploading_; }
  Pass pass() const override { return Pass::kScene; }
  bool drawn() const override { return shown && !set_.empty(); }
  void draw(const splat::View& view) override;

  bool shown = true;

 private:
  Shader shader_;
  LineSet set_;
  const splat::PointCloud* points_ = nullptr;
  uint64_t number_ = 0;
  size_t sent_ = 0;
  bool uploading_ = false;
};

}  // namespace viewer
