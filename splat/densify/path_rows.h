// Splats where the photographer went. Between cameras that are neighbours nothing can stand, or the way from one to the
// other would have been barred. But a smooth background looks the same at any depth to the cameras far away that have
// it in frame, and may be trained into place among those that turn their backs to it: a veil before every picture taken
// there, which grows with the length of the run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "splat/model/camera.h"
#include "splat/model/gaussians.h"

namespace splat {

// How near to the way between two cameras, times its length; and how long it may be, times the median of all: a camera
// that was placed wrong, far from the others, has been nowhere near.
inline constexpr double kPathRadius = 0.2, kLongestPath = 3;

// Rows whose centre lies beside the straight way from a camera to one of the six nearest to it, within kPathRadius,
// while the nearest camera that has it in frame is more than `nearer` times farther from it than the nearest of all, or
// none has it in frame. Ascending. What a camera close by has in frame stays: it stands there, and the way went around
// it. nearer: above 1. Cost: some 15 ns a row; of the few rows by a way, all cameras.
std::vector<uint32_t> rows_in_paths(const Ellipsoids& model, std::span<const View> views, double nearer);

}  // namespace splat
