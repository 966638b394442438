// Which photos show the same things from elsewhere, and how far away those are: what a plane sweep needs to know.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/model/camera.h"

namespace splat::stereo {

struct Overlap {
  std::vector<size_t> others;  // indices of views, the most telling first
  double near = 0, far = 0;    // depths along the view's axis, world units; both 0: too few points to tell
};

// One for each view. A view tells as much about another as it has points in common with it, each counted by the angle
// between the two rays to it: most at 6 degrees, where matching is both possible and exact (as MVSNet, Yao et al. 2018,
// section 4.1). Depths reach from 0.7 times the nearest points (the 1st percentile) to 3 times the farthest (the
// 99th). Points behind others count as seen. Cost: the square of the views times at most 3000 points.
std::vector<Overlap> overlaps(std::span<const View> views, std::span<const std::array<double, 3>> points,
                              size_t most_others, ThreadPool& pool);

}  // namespace splat::stereo
