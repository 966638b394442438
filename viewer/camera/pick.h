// The surface under a pixel: the depth at which splats, blended from near to far, have left half of the transmittance.
// Cost: one pass over all splats, parallel; milliseconds for a million.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "splat/core/parallel.h"
#include "splat/model/camera.h"
#include "splat/model/gaussians.h"
#include "splat/model/screen_filter.h"
#include "viewer/camera/geometry.h"

namespace viewer {

// x, y: px. left_out [N], or none: rows that are not there. None: more than half of the transmittance is left.
std::optional<Vec3> pick_point(const splat::Gaussians& splats, const splat::ScreenFilter& filter,
                               const splat::View& view, double x, double y, splat::ThreadPool& pool,
                               std::span<const uint8_t> left_out = {});

}  // namespace viewer
