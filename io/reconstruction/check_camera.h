// The bounds on a camera read from a file. Names and parameters of the models: splat/model/camera_models.h.
#pragma once

#include "splat/core/result.h"
#include "splat/model/camera.h"

namespace io {

// Size within (0, kMaxImageSide], parameter count right, all finite, focal lengths positive, no absurd value. The error
// is the problem alone, without file or position: the caller adds those.
splat::Status check_camera(const splat::SourceCamera& camera);

}  // namespace io
