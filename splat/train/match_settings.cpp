#include "splat/train/match_settings.h"

#include <algorithm>

#include "splat/core/system.h"
#include "splat/train/init.h"

namespace splat {
namespace {

constexpr int kIterationsAPhoto = 50, kFewestPhotos = 32, kMostPhotos = 160;
constexpr int kShortRun = 2000;                  // iterations
constexpr int kShortRunSide = 128, kSide = 256;  // px
constexpr size_t kPointsAnIteration = 4, kFewestPoints = 1000;
constexpr uint64_t kGuessed = 3000;  // places, where there are no points

}  // namespace

stereo::MatchSettings match_settings(const TrainConfig& config, const Dataset& dataset) {
  stereo::MatchSettings settings;
  settings.most_photos = 0;
  const bool has_points = dataset.points.size() > 0;
  if (has_points && !config.region.empty()) return settings;
  if (config.matched_photos != kAuto)
    settings.most_photos = size_t(config.matched_photos);
  else if (!has_points || row_of(config.strategy).more_points)
    settings.most_photos = size_t(std::clamp(config.iterations / kIterationsAPhoto, kFewestPhotos, kMostPhotos));
  settings.side = config.iterations < kShortRun ? kShortRunSide : kSide;
  settings.most_points = std::max(kPointsAnIteration * size_t(std::max(config.iterations, 0)), kFewestPoints);
  return settings;
}

Result<PointCloud> match_photos(const TrainConfig& config, const Dataset& dataset, ImageSource& images,
                                ThreadPool& pool) {
  const stereo::MatchSettings settings = match_settings(config, dataset);
  PointCloud guessed;
  if (settings.most_photos > 0 && dataset.points.size() == 0) guessed = random_points(dataset, config, kGuessed);
  Result<PointCloud> matched = stereo::matched_points(dataset, images, settings, pool, guessed);
  if (matched && guessed.size() > 0 && matched->size() > 0)  // these know better which photos belong together
    matched = stereo::matched_points(dataset, images, settings, pool, PointCloud(*matched));
  return_freed_memory();
  return matched;
}

size_t matching_bytes(const TrainConfig& config, const Dataset& dataset, int threads) {
  return stereo::matching_bytes(dataset, match_settings(config, dataset), threads);
}

}  // namespace splat
