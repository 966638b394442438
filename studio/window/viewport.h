// The scene's part of the window: the layers of the workspace's scene and their order, drawn from its navigator's view
// into a picture, and only when something changed.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "studio/window/workspace.h"
#include "viewer/draw/canvas.h"
#include "viewer/layers/engine_layer.h"
#include "viewer/layers/lines_layer.h"
#include "viewer/layers/photo_layer.h"
#include "viewer/layers/points_layer.h"
#include "viewer/layers/splats_layer.h"

namespace studio {

class Viewport {
 public:
  explicit Viewport(Workspace& workspace);
  splat::Status build();  // shaders, once the features are there

  // Once a frame: gives the layers what they show; true: draw() is due.
  // Nothing of that while compared pictures cover the scene.
  bool update(int width, int height);                    // px
  void draw();                                           // as of the last update()
  bool busy() const;                                     // more will be drawn soon, without input
  bool settled() const;                                  // the picture is complete and sharp
  bool shows_splats() const { return drawn_splats_; }    // as drawn last, coarse or sharp
  const SplatsLayer& splats() const { return splats_; }  // by OpenGL
  const EngineLayer& engine() const { return engine_; }
  GLuint texture() { return canvas_.texture(); }
  splat::Image8 picture() { return canvas_.read(); }

  // Where the photo lies that the camera is at, px: left, top, width, height; nullopt: it is at none.
  std::optional<std::array<float, 4>> photo_frame() const;

  // The photo camera whose apex is nearest to a pixel, within 16 px; -1: none.
  int camera_at(double x, double y) const;  // px

 private:
  void give_splats();
  void give_others();
  void give_lines(bool photo_blended);
  ShownMove shown_move() const;

  Workspace& work_;
  Canvas canvas_;
  BackdropLayer backdrop_;
  SplatsLayer splats_;
  EngineLayer engine_;
  PointsLayer points_;
  PhotoLayer photo_;
  GridLayer grid_;
  CamerasLayer cameras_;
  std::vector<Layer*> layers_;  // in the order in which those of a pass are drawn
  uint64_t splats_of_ = 0;      // Received::splats_loaded
  bool drawn_splats_ = false;
  splat::View drawn_view_;
  DisplaySettings drawn_settings_;
  int width_ = 0, height_ = 0;
};

}  // namespace studio
