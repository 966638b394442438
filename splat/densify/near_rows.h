// Slower growth near the cameras. Splats there are large on the screen, and so are their gradients, whether they belong
// to the scene or are floaters: growth by gradients alone splits ever more of them. Scores fall with the squared
// distance, as in Pixel-GS (Zhang et al. 2024, section 3.3). "Near" there is a share of the cameras' extent, which
// fails where cameras go through a scene; here it is a percentile of the splats' own distances.
#pragma once

#include <span>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/model/camera.h"
#include "splat/model/gaussians.h"

namespace splat {

// [N] factors of growth scores: (distance to the nearest camera / d)^2, at most 1, where d is the percentile `share` of
// these distances. All 1 without a share or views; 1 for rows at no finite place. pool: or null. Cost: a row is
// compared with the cameras that may be the nearest one of its group (row_parts.h).
std::vector<float> growth_by_distance(const Ellipsoids& model, std::span<const View> views, double share,
                                      ThreadPool* pool = nullptr);

}  // namespace splat
