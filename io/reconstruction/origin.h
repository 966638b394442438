// Where positions are counted from. Survey coordinates run into millions of metres, of which a float keeps decimetres;
// so a reconstruction that lies far from 0 is read relative to a place among its cameras.
#pragma once

#include <array>
#include <span>

#include "splat/model/camera.h"

namespace io {

// What to subtract from all positions: zero unless the cameras are more than a hundred times as far away as they are
// spread; then their mean, rounded to a tenth of the spread at least. Depends on the poses alone; what lies far outside
// of most does not count (splat/model/stray_views.h).
std::array<double, 3> local_origin(std::span<const splat::Rigid3> cam_from_world);

// The same for positions, x y z one after another: by their medians and by what all but a tenth of them span. Those
// that are not finite do not count.
std::array<double, 3> local_origin_of(std::span<const double> xyz);

// The pose of the same camera in a world whose positions are counted from `origin`.
splat::Rigid3 relative_to(const splat::Rigid3& cam_from_world, const std::array<double, 3>& origin);

}  // namespace io
