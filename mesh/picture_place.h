// Projection of points into pictures, and sampling of colours.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/triangle_mesh.h"
#include "splat/model/camera.h"
#include "splat/model/image.h"

namespace mesh {

// Where a view sees a point, px. The point must be before the camera.
std::array<float, 2> pixel_of(const splat::View& view, const Vec3& p);

// Pixels that are not known [H,W] take the colour of one that is, the nearest or nearly so; all do of one that none of
// is known stay. Cost: two passes.
void spread_colours(splat::ImageF& picture, const std::vector<uint8_t>& known);

// Bilinear, at px; beyond the outermost centres of pixels theirs.
Vec3 colour_at(const splat::ImageF& picture, float x, float y);

}  // namespace mesh
