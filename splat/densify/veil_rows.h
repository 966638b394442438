// Splats in mid-air that hardly any photo has in frame. What a few photos alone show of a place, their darker corners,
// a shadow, an exposure that differs, can be copied by something nearly transparent close to their cameras: it fits
// those photos better with every iteration, and is a veil before every picture taken beside them. Removed before the
// last iteration it grows again, out of whatever is near (docs/notebook), so that it is removed after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/model/camera.h"

namespace splat {

// Share of the median depth at its place in a picture: what is not nearer belongs to the surface seen there.
inline constexpr double kVeilDepth = 0.5;

// Rows whose centre at most `most_views` of the views have in frame, one at least, and which all of those show at less
// than kVeilDepth of the median depth of the splats drawn there. Ascending. A row that lies farther away than most rows
// in frame, in every view, is not looked at, nor is one before nothing. Changes what the backend drew last. Cost: all
// views a row, again for the rows that few have in frame; and one picture with depths for every view that has those.
std::vector<uint32_t> veil_rows(Backend& backend, std::span<const View> views, const RenderSettings& settings,
                                size_t most_views);

}  // namespace splat
