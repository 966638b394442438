// The one way to scale a pinhole camera.
#pragma once

#include "splat/model/camera.h"

namespace splat {

// The camera of the same picture resampled to width x height px (both > 0): its parameters in proportion.
inline PinholeCamera resized(const PinholeCamera& camera, int width, int height) {
  const float x = float(width) / float(camera.width), y = float(height) / float(camera.height);
  return {width, height, camera.fx * x, camera.fy * y, camera.cx * x, camera.cy * y};
}

}  // namespace splat
