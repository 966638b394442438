// Splats that no second photo verifies. What one photo alone has in its frame looks right there at any depth along its
// rays, and drifts along them while it is trained. Where that brings it close to another camera, which looks elsewhere,
// it stands large before every picture taken beside that one: the haze of held-out views that comes with long runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "splat/model/camera.h"
#include "splat/model/gaussians.h"

namespace splat {

// [N] 1: no view has the centre in its frame, or one alone has, and another camera is `nearer` times nearer to it than
// that view's. No views: none. Cost: a few views a row where most rows are seen by several; all of them for those that
// are not.
std::vector<uint8_t> unverified_rows(const Gaussians& model, std::span<const View> views, double nearer);

}  // namespace splat
