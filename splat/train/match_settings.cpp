#include "splat/train/match_settings.h"

#include <algorithm>

#include "splat/core/system.h"

namespace splat {
namespace {

constexpr int kIterationsAPhoto = 50, kFewestPhotos = 32, kMostPhotos = 160;
constexpr int kShortRun = 2000;                  // iterations
constexpr int kShortRunSide = 128, kSide = 256;  // px
constexpr size_t kPointsAnIteration = 4, kFewestPoints = 1000;

}  // namespace

stereo::MatchSettings match_settings(const TrainConfig& config) {
  stereo::MatchSettings settings;
  settings.most_photos = 0;
  if (!config.region.empty()) return settings;
  if (config.matched_photos != kAuto)
    settings.most_photos = size_t(config.matched_photos);
  else if (row_of(config.strategy).more_points)
    settings.most_photos = size_t(std::clamp(config.iterations / kIterationsAPhoto, kFewestPhotos, kMostPhotos));
  settings.side = config.iterations < kShortRun ? kShortRunSide : kSide;
  settings.most_points = std::max(kPointsAnIteration * size_t(std::max(config.iterations, 0)), kFewestPoints);
  return settings;
}

Result<PointCloud> match_photos(const TrainConfig& config, const Dataset& dataset, ImageSource& images,
                                ThreadPool& pool) {
  Result<PointCloud> matched = stereo::matched_points(dataset, images, match_settings(config), pool);
  return_freed_memory();
  return matched;
}

size_t matching_bytes(const TrainConfig& config, const Dataset& dataset, int threads) {
  return stereo::matching_bytes(dataset, match_settings(config), threads);
}

}  // namespace splat
