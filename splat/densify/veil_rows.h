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
#include "splat/core/parallel.h"
#include "splat/model/camera.h"
#include "splat/model/pixel.h"

namespace splat {

// Share of the median depth at a pixel: splats from there on belong to the visible surface.
inline constexpr double kVeilDepth = 0.5;

// A row in frame of a view.
struct Sighting {
  uint32_t row, view;
  Pixel pixel;
};

// All sightings of the rows in frame of one to `most_views` views that are nearer, in one of them, than most rows that
// it has in frame. By rows, then views, ascending. pool: or null. Cost: most_views + 1 views a group of rows
// (row_parts.h) where as many see all of it, else some a row; all groups for every view of such a row.
std::vector<Sighting> near_sightings(const Ellipsoids& model, std::span<const View> views, size_t most_views,
                                     ThreadPool* pool);

// The rows of near_sightings() that lie, in each view that has them in frame, at less than kVeilDepth of the median
// depth drawn there. Ascending. What stands before an empty background stays. Replaces the backend's last picture. Cost
// beside theirs: a picture with depths for every view that has one in frame.
std::vector<uint32_t> veil_rows(Backend& backend, std::span<const View> views, const RenderSettings& settings,
                                size_t most_views, ThreadPool* pool = nullptr);

}  // namespace splat
