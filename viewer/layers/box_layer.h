// Edges of boxes in the scene.
#pragma once

#include <utility>
#include <vector>

#include "viewer/draw/gl_objects.h"
#include "viewer/draw/lines.h"
#include "viewer/layers/layer.h"

namespace viewer {

class BoxLayer final : public Layer {
 public:
  void set(std::vector<LineVertex> lines) { fresh_ = std::move(lines), replaced_ = true; }

  splat::Status build() override { return shader_.build("lines.vert", "lines.frag"); }
  bool update() override;
  bool drawn() const override { return shown && !lines_.empty(); }
  void draw(const splat::View& view) override;

  bool shown = true;

 private:
  Shader shader_;
  LineSet lines_;
  std::vector<LineVertex> fresh_;
  bool replaced_ = false;
};

}  // namespace viewer
