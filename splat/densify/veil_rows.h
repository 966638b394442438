// Floaters in the view of few photos. Darker corners, a shadow or an exposure of a few photos can be copied by nearly
// transparent splats close to their cameras: they fit those photos better with every iteration, and veil every picture
// taken beside them. Removed before the last iteration they grow again, out of any splats nearby (docs/notebook), so
// that they are removed after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/model/camera.h"

namespace splat {

// Share of the median depth at a pixel: splats from there on belong to the visible surface.
inline constexpr double kVeilDepth = 0.5;

// Rows in frame of one to `most_views` views, in each of them at less than kVeilDepth of the median depth drawn there.
// Ascending. Rows farther away than most rows in frame, in every view, are passed over, and so are those before an
// empty background. Replaces the backend's last picture. Cost: all views a row, twice for the candidates; and one
// picture with depths for every view of a candidate.
std::vector<uint32_t> veil_rows(Backend& backend, std::span<const View> views, const RenderSettings& settings,
                                size_t most_views);

}  // namespace splat
