// A content of the scene, drawn by OpenGL: what it has goes to the graphics card in portions, so that no frame waits
// for all of it. What it shows, its owner gives it before each update().
#pragma once

#include <cstddef>
#include <cstdint>

#include "splat/core/result.h"
#include "splat/math/constants.h"
#include "splat/model/camera.h"

namespace viewer {

inline constexpr size_t kUploadBytes = size_t(8) << 20;  // a frame: 25 ms where OpenGL is software

enum class Pass : uint8_t { kUnder, kScene, kOver };  // kScene: not drawn where another layer covers it

class Layer {
 public:
  Layer() = default;
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  virtual splat::Status build() = 0;                 // shaders, once there is a context
  virtual bool update(const splat::View& view) = 0;  // once a frame; true: the picture of the scene changes
  virtual bool busy() const { return false; }        // more comes with the next frames, without input
  virtual bool settled() const { return !busy(); }   // what it shows is complete and sharp
  virtual Pass pass() const { return Pass::kOver; }  // over the splats, with their depth unknown
  virtual bool drawn() const = 0;                    // there is something, and it is to be seen
  virtual bool covers() const { return false; }      // nothing of the scene is seen through it
  virtual void draw(const splat::View& view) = 0;    // as of the last update()

  float near_plane = float(splat::math::kNearPlane);  // depth: what is nearer is not drawn, world units
};

}  // namespace viewer
