// Splats nearer to the cameras than nearly all others. They are large on the screen, and so are their gradients,
// whether they belong to the scene or are haze before it: growth that goes by gradients alone cuts ever more of them in
// two. Their scores fall with the square of the distance, as in Pixel-GS (Zhang et al. 2024, section 3.3), where "near"
// is a share of the cameras' extent. That says nothing where cameras go through a scene; here the rows themselves say
// what is near.
#pragma once

#include <span>
#include <vector>

#include "splat/model/camera.h"
#include "splat/model/gaussians.h"

namespace splat {

// [N] what to multiply scores of growth with: (distance to the nearest camera / d)^2, at most 1, where the share
// `share` of the rows lies nearer than d. 1 for all without a share or views, and for rows that are nowhere. Cost: one
// question to a tree of the cameras a row.
std::vector<float> growth_by_distance(const Ellipsoids& model, std::span<const View> views, double share);

}  // namespace splat
