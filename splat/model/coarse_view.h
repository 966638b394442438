// A view and its photo made smaller (resolution.h says when).
#pragma once

#include <cstdint>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/model/camera.h"
#include "splat/model/image.h"

namespace splat {

// A view and its photo with both sides divided, by the means of squares of divisor^2 pixels. What does not fill a
// square at the right and lower border is left out. A square counts in the loss when all its pixels do; its depth is
// that of its first pixel, its alpha the mean.
class CoarseView {
 public:
  // view(), photo(): valid until the next call. divisor >= 1; the sides stay at least 1 px. Cost: the photo is read
  // once; nothing is allocated once the largest photo has been seen.
  void make(const View& view, const TrainingImage& photo, int divisor, ThreadPool& pool);

  const View& view() const { return view_; }
  const TrainingImage& photo() const { return photo_; }

 private:
  template <class Sum>
  void fill(const TrainingImage& photo, int divisor, std::vector<Sum>& columns, ThreadPool& pool);

  View view_;
  TrainingImage photo_;
  std::vector<uint16_t> columns_;       // [threads,width of the photo]
  std::vector<uint32_t> wide_columns_;  // where 16 bits do not hold a column's sum
};

}  // namespace splat
