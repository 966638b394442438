// Training on smaller pictures first: early in a run splats are few and large, and what they learn a quarter of the
// pixels teaches as well, several times faster. Follows the idea of Chen et al., "DashGaussian" (CVPR 2025); the
// resolution rises linearly with the iteration instead of with the photos' spectra.
#pragma once

#include <cstdint>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/model/camera.h"
#include "splat/model/image.h"

namespace splat {

// The number that the sides of the photos are divided by in `iteration`: the side's share of its full length rises
// linearly from 1/first at iteration 0 to 1 at iteration `until`; the number is the whole one nearest to its
// inverse. first 1: always 1.
int resolution_divisor(int first, int until, int iteration);

// A view and its photo with both sides divided, by the means of squares of divisor^2 pixels. What does not fill a
// square at the right and lower border is left out. A square counts in the loss when all its pixels do; its depth is
// that of its first pixel.
class CoarseView {
 public:
  // view(), photo(): valid until the next call. divisor >= 1; the sides stay at least 1 px. Cost: the photo is read
  // once; nothing is allocated once the largest photo has been seen.
  void make(const View& view, const TrainingImage& photo, int divisor, ThreadPool& pool);

  const View& view() const { return view_; }
  const TrainingImage& photo() const { return photo_; }

 private:
  View view_;
  TrainingImage photo_;
  std::vector<uint32_t> sums_;  // [threads,width]
};

}  // namespace splat
