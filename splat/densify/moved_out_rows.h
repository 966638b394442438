// Floaters from a single view. A splat in one photo's view alone looks right there at any depth along its rays, and
// drifts along them during training. Close to another camera, which looks elsewhere, it covers every picture taken
// beside that one: the haze of held-out views after long runs. It lies more likely behind the scene than among the
// cameras, where other photos would see it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/model/camera.h"
#include "splat/model/gaussians.h"

namespace splat {

// Moves rows whose centre is in a single view's frame, with another camera `nearer` times nearer than that view's, away
// along the view's ray until no camera is that near; sizes grow with the distance, so that the view shows them as
// before. Returns them, ascending. nearer: above 1. pool: or null. Cost: two views a group of rows (row_parts.h) where
// two see all of it, else some a row; all cameras for the rows of a single one.
std::vector<uint32_t> move_rows_out(Ellipsoids& model, std::span<const View> views, double nearer,
                                    ThreadPool* pool = nullptr);

}  // namespace splat
