// More points than a reconstruction has: places that photos show alike from several sides. A reconstruction has points
// where single features match; squares of pixels match in many more places, and splats that start there need not be
// grown first.
#pragma once

#include <cstddef>

#include "splat/core/parallel.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"
#include "splat/model/image.h"

namespace splat::stereo {

inline constexpr size_t kMatchedOthers = 3;    // photos that each is compared with
inline constexpr int kMatchedCell = 4;         // px: side of a square for one point
inline constexpr double kSameDepth = 0.1;      // share of the depth within which a point covers a square already
inline constexpr double kAgreeingSteps = 1.5;  // between two planes, by which two photos' depths may differ

struct MatchSettings {
  size_t most_photos = 160;
  int side = 256;  // px: photos are divided until their longer side has at most as many
  size_t most_points = 1000000;
};

// For at most `most_photos` of the photos trained on, evenly spread, depths are found from one another
// (plane_sweep.h). What a photo and one of those beside it agree on becomes a point with the photo's colour, the best
// one of a square, where neither the dataset's points nor those added before it cover the square at that depth. Of more
// than `most_points` as many are kept, evenly spread. The dataset's points tell which photos belong together, and how
// far away things are; where it has none, places where they may be do (`guessed`), and without those nothing is found.
// The same points with every number of threads. Errors: a photo that cannot be read. Cost: a photo of 256x192 some 80
// ms of a processor with AVX2, of half the size a seventh; memory: matching_bytes().
Result<PointCloud> matched_points(const Dataset& dataset, ImageSource& images, const MatchSettings& settings,
                                  ThreadPool& pool, const PointCloud& guessed = {});

// What matched_points() holds at most, predicted: 19 bytes a pixel of all photos, or 15 and 48 of one for each thread
// (0: every core, as ThreadPool has it).
size_t matching_bytes(const Dataset& dataset, const MatchSettings& settings, int threads);

}  // namespace splat::stereo
