// A photo over the scene, where its camera is looked from, and the backdrop behind the scene.
#pragma once

#include <array>

#include "viewer/layers/full_screen.h"
#include "viewer/layers/layer.h"

namespace viewer {

// Where a photo lies in a view from its camera, px: left, top, width, height.
std::array<double, 4> photo_place(const splat::PinholeCamera& photo, const splat::View& view);

class PhotoLayer final : public Layer {
 public:
  splat::Status build() override { return screen_.build("picture.frag"); }
  bool update(const splat::View&) override { return false; }
  bool drawn() const override { return look.texture != 0 && look.weight > 0; }
  void draw(const splat::View& view) override;

  struct Look {
    GLuint texture = 0;  // 0: no photo
    splat::PinholeCamera camera;
    float weight = 0;  // [0,1] of it over the scene
  } look;

 private:
  FullScreen screen_;
};

class BackdropLayer final : public Layer {
 public:
  splat::Status build() override { return screen_.build("backdrop.frag"); }
  bool update(const splat::View&) override { return false; }
  Pass pass() const override { return Pass::kUnder; }
  bool drawn() const override { return shown; }
  void draw(const splat::View& view) override;

  bool shown = false;

 private:
  FullScreen screen_;
};

}  // namespace viewer
