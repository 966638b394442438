// Lines in the scene: edges of boxes, the grid of the ground, the photos' cameras.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "viewer/draw/gl_objects.h"
#include "viewer/draw/lines.h"
#include "viewer/layers/layer.h"

namespace viewer {

class LinesLayer : public Layer {
 public:
  void set(std::vector<LineVertex> lines) { fresh_ = std::move(lines), replaced_ = true; }

  splat::Status build() override { return shader_.build("lines.vert", "lines.frag"); }
  bool update(const splat::View& view) override;
  Pass pass() const override { return under ? Pass::kUnder : Pass::kOver; }
  bool drawn() const override { return shown && !lines_.empty(); }
  void draw(const splat::View& view) override;

  bool shown = true, under = false;
  float fade = 1;     // [0,1] of their opacity
  float nearest = 0;  // what is nearer to the viewer is not drawn, beside the near plane, world units

 private:
  Shader shader_;
  LineSet lines_;
  std::vector<LineVertex> fresh_;
  bool replaced_ = false;
};

class GridLayer final : public LinesLayer {
 public:
  // step: world units. The same again costs nothing; below nothing it stays where it was.
  void lie_below(const Bounds& bounds, const Vec3& up, double step, const Rgba& colour);

 private:
  struct Ground {
    std::array<double, 3> centre{}, up{};
    double step = 0;
    Rgba colour{};
    friend bool operator==(const Ground&, const Ground&) = default;
  } ground_;
};

class CamerasLayer final : public LinesLayer {
 public:
  struct Look {
    uint64_t cameras = 0;           // counts up with every change of them
    double size = 0;                // world units
    int current = -1;               // the one that is looked from
    std::array<Rgba, 3> colours{};  // of training, held out and current ones
    friend bool operator==(const Look&, const Look&) = default;
  };
  void set(std::span<const PhotoCamera> cameras, const Look& look);  // the same again costs nothing

 private:
  std::optional<Look> look_;
};

}  // namespace viewer
