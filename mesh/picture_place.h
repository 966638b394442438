// Where a picture shows a point, and in what colour.
#pragma once

#include <array>

#include "mesh/triangle_mesh.h"
#include "splat/model/camera.h"
#include "splat/model/image.h"

namespace mesh {

// Where a view sees a point, px. The point must be before the camera.
std::array<float, 2> pixel_of(const splat::View& view, const Vec3& p);

// Bilinear, at px; beyond the outermost centres of pixels theirs.
Vec3 colour_at(const splat::ImageF& picture, float x, float y);

}  // namespace mesh
