// The length unit of the schedules: 1.1 x the largest distance of a training camera from the mean camera centre
// (reference code: getNerfppNorm). World units. Held-out views and those far outside of all others
// (model/stray_views.h) do not count. One camera, or all in one place: 0 becomes the median distance of the points from
// there, or 1 without points.
#pragma once

#include "splat/model/dataset.h"

namespace splat {

double scene_extent(const Dataset& dataset);

}  // namespace splat
