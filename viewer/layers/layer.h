// A content of the scene beside its splats, drawn by OpenGL: what it has goes to the graphics card in portions, so that
// no frame waits for all of it.
#pragma once

#include <cstddef>

#include "splat/core/result.h"
#include "splat/model/camera.h"

namespace viewer {

class Layer {
 public:
  Layer() = default;
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  virtual splat::Status build() = 0;               // shaders, once there is a context
  virtual bool update() = 0;                       // once a frame; true: the picture of the scene changes
  virtual bool busy() const { return false; }      // more goes to the graphics card with the next frames
  virtual bool drawn() const = 0;                  // there is something, and it is to be seen
  virtual bool covers() const { return false; }    // nothing else of the scene is seen through it
  virtual void draw(const splat::View& view) = 0;  // over the splats, with their depth unknown
  virtual size_t device_bytes() const { return 0; }
};

}  // namespace viewer
