// How much is matched before the first iteration (stereo/matched_points.h): the shorter the run, the less, since
// matching takes time from it and every splat at the start makes early iterations slower (docs/notebook).
#pragma once

#include "splat/stereo/matched_points.h"
#include "splat/train/config.h"

namespace splat {

// 32 to 160 photos, one for every 50 iterations, of 256 px, or of 128 px where there are fewer than 2000 iterations; 4
// points an iteration, at least 1000. No photos for a region, and none with a strategy that does not add points unless
// config.matched_photos says how many; but where the dataset has no points, with every strategy and for a region, too.
stereo::MatchSettings match_settings(const TrainConfig& config, const Dataset& dataset);

// stereo::matched_points() so; where no point says where things may be, first guessing it (random_points()), then from
// what was found; what it held goes back to the system, which would otherwise be held beside the splats.
Result<PointCloud> match_photos(const TrainConfig& config, const Dataset& dataset, ImageSource& images,
                                ThreadPool& pool);

// What matching holds at most before the first iteration, predicted (stereo::matching_bytes()). config: resolved.
size_t matching_bytes(const TrainConfig& config, const Dataset& dataset, int threads);

}  // namespace splat
