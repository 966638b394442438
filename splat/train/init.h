// The splats a run starts from. From points (as the reference code): mean = point, all three scales = sqrt(mean squared
// distance to the 3 nearest neighbours), colour in SH degree 0, identity rotation, opacity 0.1. Without points: where
// photos look alike (stereo/matched_points.h), far behind that (far_points.h), and grey ones at random up to
// random_splats(). Cost: one exact k-nearest-neighbour search, parallel; same result on any threads.
#pragma once

#include <string>
#include <vector>

#include "splat/core/stop.h"
#include "splat/model/dataset.h"
#include "splat/model/gaussians.h"
#include "splat/train/config.h"

namespace splat {

struct InitialModel {
  Gaussians splats;
  std::vector<std::string> notes;  // decisions worth telling the user, one sentence each
};

// At most config.max_splats (a seeded subsample of the points, in their order). `matched` (stereo/matched_points.h)
// come after the dataset's own where no region is set, or stand for them where it has none. threads 0: all cores.
// stop: asked now and then.
InitialModel initial_model(const Dataset& dataset, const TrainConfig& config, int threads = 0,
                           const PointCloud& matched = {}, const StopAsked& stop = {});

// The points alone. Neighbour distances count as at least sqrt(1e-7) world units as in the reference code, or 1e-4 of
// the extent where that is less (duplicates, scenes in kilometres). A single point gets 0.01 of the extent.
Gaussians gaussians_from_points(const PointCloud& points, const TrainConfig& config, double extent, int threads = 0,
                                const StopAsked& stop = {});

// Grey points where there is none, by config.seed: uniform in the region, where there is one; else in a cube around the
// place that cameras look at from several sides (the point nearest to all optical axes), as large as the photos show of
// it; else, where cameras look outwards or all in one direction, in the photos, evenly by the logarithm of their depth
// from 0.5 to 20 scene extents.
PointCloud random_points(const Dataset& dataset, const TrainConfig& config, uint64_t count);

// For a dataset or a region without points: config.random_splats; if that is 0, half of what the
// photos determine (growth_limit.h), at most 100 000.
uint64_t random_splats(const Dataset& dataset, const TrainConfig& config);

// How many splats initial_model() begins with but for those that are matched with a dataset's points, or far.
uint64_t starting_splats(const Dataset& dataset, const TrainConfig& config);

}  // namespace splat
