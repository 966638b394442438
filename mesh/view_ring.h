// Views around a model, for meshes without photos.
#pragma once

#include <vector>

#include "splat/model/camera.h"
#include "splat/model/gaussians.h"

namespace mesh {

// `count` views from all around what the splats show: all of an object, where there is nothing far from it; else the
// middle half in each axis, twice as large. Who stands inside a room needs its cameras.
std::vector<splat::View> views_around(const splat::Gaussians& model, int count, int size_px);

// At most `count` of the views, as far from each other as can be, in their order.
std::vector<size_t> spread_views(const std::vector<splat::View>& views, size_t count);

}  // namespace mesh
