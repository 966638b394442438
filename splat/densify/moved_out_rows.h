// Splats that no second photo verifies. What one photo alone has in its frame looks right there at any depth along its
// rays, and drifts along them while it is trained. Where that brings it close to another camera, which looks elsewhere,
// it stands large before every picture taken beside that one: the haze of held-out views that comes with long runs.
// What only one photo shows lies more likely beyond the cameras than among them, where others would have it in frame.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "splat/model/camera.h"
#include "splat/model/gaussians.h"

namespace splat {

// Rows whose centre one view alone has in its frame, while another camera is `nearer` times nearer to it than that
// view's, are moved away from their view's camera along the ray, to where no camera is so near any more, and grow with
// the distance: their view shows them as before. Returns them, ascending. nearer: above 1. Cost: a few views a row
// where most rows are seen by several; all of them for those that are not.
std::vector<uint32_t> move_rows_out(Ellipsoids& model, std::span<const View> views, double nearer);

}  // namespace splat
