#include "splat/train/resolution.h"

#include <algorithm>
#include <vector>

#include "splat/core/percentile.h"

namespace splat {

int resolution_divisor(int first, int until, int iteration) {
  if (first <= 1 || iteration >= until) return 1;
  constexpr double kNearlyFull = 2.0 / 3;  // the share beyond which 1 is the nearest
  const double start = 1.0 / first, share = start + (kNearlyFull - start) * std::max(iteration, 0) / until;
  return std::clamp(int(1 / share + 0.5), 2, first);
}

int first_divisor(const TrainConfig& config, const Dataset& dataset) {
  if (config.progressive_divisor != kAuto) return config.progressive_divisor;
  if (!row_of(config.strategy).coarse_first || config.poses != PoseMode::kOff || config.surface) return 1;
  std::vector<double> sides;
  for (const int view : dataset.training_views()) {
    const PinholeCamera& camera = dataset.views[size_t(view)].camera;
    sides.push_back(std::max(camera.width, camera.height));
  }
  if (sides.empty()) return 1;
  const int most = double(config.iterations) > kLongRun * double(sides.size()) ? 2 : kLargestDivisor;
  return std::clamp(int(median(std::move(sides)) / kCoarsestSide), 1, most);
}

}  // namespace splat
