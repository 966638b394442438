// The splats a run starts from. From points (as the reference code): mean = point, all three scales = sqrt(mean squared
// distance to the 3 nearest neighbours), colour in SH degree 0, identity rotation, opacity 0.1. Without points: random
// ones, uniform in a cube around what the training cameras look at (the point nearest to all optical axes; half the
// side is the mean camera distance from it). Cost: one exact k-nearest-neighbour search, parallel; same result on any
// threads.
#pragma once

#include <string>
#include <vector>

#include "splat/model/dataset.h"
#include "splat/model/gaussians.h"
#include "splat/train/config.h"

namespace splat {

struct InitialModel {
  Gaussians splats;
  std::vector<std::string> notes;  // decisions worth telling the user, one sentence each
};

// At most config.max_splats (a seeded subsample of the points, in their order). `matched` (stereo/matched_points.h)
// come after the dataset's own, where there are some and no region is set. threads 0: all cores.
InitialModel initial_model(const Dataset& dataset, const TrainConfig& config, int threads = 0,
                           const PointCloud& matched = {});

// The points alone. Neighbour distances count as at least sqrt(1e-7) world units as in the reference code, or 1e-4 of
// the extent where that is less (duplicates, scenes in kilometres). A single point gets 0.01 of the extent.
Gaussians gaussians_from_points(const PointCloud& points, const TrainConfig& config, double extent, int threads = 0);

// Uniform points in the cube described above, with random colours.
PointCloud random_points(const Dataset& dataset, uint64_t count, uint64_t seed);

}  // namespace splat
