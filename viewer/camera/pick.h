// The surface under a pixel: where the light of the pixel is half used up, by splats from near to far, as they are
// blended. Cost: one pass over all splats, parallel; milliseconds for a million.
#pragma once

#include <optional>

#include "splat/core/parallel.h"
#include "splat/model/camera.h"
#include "splat/model/gaussians.h"
#include "viewer/camera/geometry.h"

namespace viewer {

// x, y: px. None: less than half of the light is used up there.
std::optional<Vec3> pick_point(const splat::Gaussians& splats, bool antialias, const splat::View& view, double x,
                               double y, splat::ThreadPool& pool);

}  // namespace viewer
